// How a row of the table of fields is written: the member that it stores to decides its type.
#pragma once

#include "spec/workload_fields.h"

#include <type_traits>

namespace ridgeline::rows {

using Names = std::vector<std::string_view>;

// Where a field lies: in the document, or in a part of it that exists once one of its fields does.
inline WorkloadDocument& part_of(WorkloadDocument& document, const WorkloadDocument*) {
    return document;
}
inline Serving& part_of(WorkloadDocument& document, const Serving*) {
    return document.serving ? *document.serving : document.serving.emplace();
}
inline PreferenceTuning& part_of(WorkloadDocument& document, const PreferenceTuning*) {
    return document.preference ? *document.preference : document.preference.emplace();
}
inline InputPipeline& part_of(WorkloadDocument& document, const InputPipeline*) {
    return document.input ? *document.input : document.input.emplace();
}
inline Kernel& part_of(WorkloadDocument& document, const Kernel*) {
    return document.kernel ? *document.kernel : document.kernel.emplace();
}

template <typename Class>
const Class& part_in(const WorkloadDocument& document) {
    static const Class none{};
    const auto given = [](const auto& part) -> const Class& { return part ? *part : none; };
    if constexpr (std::is_same_v<Class, Serving>) {
        return given(document.serving);
    } else if constexpr (std::is_same_v<Class, PreferenceTuning>) {
        return given(document.preference);
    } else if constexpr (std::is_same_v<Class, InputPipeline>) {
        return given(document.input);
    } else if constexpr (std::is_same_v<Class, Kernel>) {
        return given(document.kernel);
    } else {
        return document;
    }
}

template <typename Class, typename Member>
Class class_of(Member Class::*);
template <typename Class, typename Member>
Member member_of(Member Class::*);

template <typename T>
struct Inner {
    using type = T;
};
template <typename T>
struct Inner<std::optional<T>> {
    using type = T;
};

template <auto member>
void put(WorkloadDocument& document, const FieldValue& value) {
    using Class = decltype(class_of(member));
    using Type = typename Inner<decltype(member_of(member))>::type;
    Type& target = [&]() -> Type& {
        auto& stored = part_of(document, static_cast<const Class*>(nullptr)).*member;
        if constexpr (std::is_same_v<std::decay_t<decltype(stored)>, Type>) {
            return stored;
        } else {
            return stored ? *stored : stored.emplace();
        }
    }();
    if constexpr (std::is_same_v<Type, bool>) {
        target = std::get<bool>(value);
    } else if constexpr (std::is_arithmetic_v<Type>) {
        target = static_cast<Type>(std::get<double>(value));
    } else if constexpr (std::is_same_v<Type, std::string>) {
        target = std::get<std::string>(value);
    } else {
        target = std::get<std::vector<std::string>>(value);
    }
}

template <auto member>
bool same(const WorkloadDocument& a, const WorkloadDocument& b) {
    using Class = decltype(class_of(member));
    return part_in<Class>(a).*member == part_in<Class>(b).*member;
}

template <auto member>
void take(const WorkloadDocument& from, WorkloadDocument& to) {
    using Class = decltype(class_of(member));
    if (!same<member>(from, to)) {
        part_of(to, static_cast<const Class*>(nullptr)).*member = part_in<Class>(from).*member;
    }
}

/// As `put`, of a figure that documents state in another unit.
template <auto member, int thousandths>
void put_scaled(WorkloadDocument& document, const FieldValue& value) {
    put<member>(document, FieldValue(std::get<double>(value) * thousandths / 1000));
}

template <auto member>
void put_gigabytes(WorkloadDocument& document, const FieldValue& value) {
    put<member>(document, FieldValue(std::get<double>(value) * 1e9));
}

template <auto words>
Names names() {
    Names list;
    for (const auto& [name, value] : words()) {
        list.push_back(name);
    }
    return list;
}

template <auto member, auto words>
void put_word(WorkloadDocument& document, const FieldValue& value) {
    using Class = decltype(class_of(member));
    for (const auto& [name, meaning] : words()) {
        if (name == std::get<std::string>(value)) {
            part_of(document, static_cast<const Class*>(nullptr)).*member = meaning;
        }
    }
}

template <auto words>
Names listed() {
    const auto span = words();
    return {span.begin(), span.end()};
}

template <auto member>
constexpr WorkloadField field(std::string_view path, std::string_view option, FieldType type,
                              HelpText help,
                              void (*set)(WorkloadDocument&, const FieldValue&) = &put<member>) {
    WorkloadField row;
#ifndef __wasm__  // a page, whose controls state nothing idle, has no room for two functions a
                  // field
    row.same = &same<member>;
    row.take = &take<member>;
#endif
    row.path = path;
    row.option = option;
    row.type = type;
    row.help = help;
    row.set = set;
    return row;
}

template <auto member, auto words>
constexpr WorkloadField word(std::string_view path, std::string_view option, HelpText help) {
    WorkloadField row =
        field<member>(path, option, FieldType::word, help, &put_word<member, words>);
    row.words = &names<words>;
    return row;
}

template <auto member, auto words>
constexpr WorkloadField listed_word(std::string_view path, std::string_view option, HelpText help) {
    WorkloadField row = field<member>(path, option, FieldType::word, help);
    row.words = &listed<words>;
    return row;
}

/// A word of a list on the command line; documents may have labels of their own.
template <auto member, auto words>
constexpr WorkloadField label(std::string_view path, std::string_view option, HelpText help) {
    WorkloadField row = field<member>(path, option, FieldType::text, help);
    row.words = &listed<words>;
    return row;
}

template <auto member>
constexpr WorkloadField boolean(std::string_view path, std::string_view option, HelpText help) {
    return field<member>(path, option, FieldType::boolean, help);
}

template <auto member>
constexpr WorkloadField number(std::string_view path, std::string_view option, double least,
                               double most, std::string_view unit, HelpText help) {
    using Type = typename Inner<decltype(member_of(member))>::type;
    WorkloadField row = field<member>(
        path, option, std::is_integral_v<Type> ? FieldType::whole : FieldType::number, help);
    row.unit = unit;
    row.least = least;
    row.most = most;
    return row;
}

/// A field that always weighs on an answer to such works.
constexpr WorkloadField telling(unsigned works, WorkloadField row) {
    row.telling = works;
    return row;
}

constexpr WorkloadField with(WorkloadField row, void (*set)(WorkloadDocument&, const FieldValue&)) {
    row.set = set;
    return row;
}

}  // namespace ridgeline::rows
