#include "web/wasm_streams.h"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>

using ridgeline::web::wasm_streams;

namespace {

std::string bytes(std::initializer_list<int> values) {
    std::string out;
    for (const int value : values) {
        out += static_cast<char>(value);
    }
    return out;
}

std::string sized(const std::string& inner) { return bytes({int(inner.size())}) + inner; }

/// A module of one function without parameters: two locals and these instructions.
std::string module_of(const std::string& instructions) {
    return bytes({0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10}) +
           sized(bytes({1}) + sized(bytes({1, 2, 0x7f}) + instructions + bytes({0x0b}))) +
           bytes({0, 2, 1, 'x'});
}

/// What is told of a module: its size, where its code begins, the sizes of the streams, the
/// streams.
std::string told_of(const std::string& module, std::initializer_list<std::string> streams) {
    std::string sizes = bytes({int(module.size()), 18});
    std::string all;
    for (const std::string& stream : streams) {
        sizes += static_cast<char>(stream.size());
        all += stream;
    }
    return sizes + all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(streams_of_a_module)

// By hand: 18 bytes before the code and 4 behind it; a body that says its locals; local.get 1 is
// the second of those used lately, and then the first; a load aligned as wide as it is, and one
// that is not; a small number, and 0x10000.
BOOST_AUTO_TEST_CASE(each_kind_of_operand_has_a_stream) {
    const std::string module =
        module_of(bytes({0x20, 1,    0x20, 1,    0x21, 0,    0x28, 2,    16,   0x28, 0,
                         20,   0x41, 5,    0x41, 0x80, 0x80, 4,    0x10, 0x82, 1}));
    const std::string operations =
        bytes({0x20, 0x20, 0x21, 0x28, 0xd8, 0x28, 0x41, 0xdc, 0x10, 0x0b});
    BOOST_TEST(
        wasm_streams(module) ==
        told_of(module, {module.substr(0, 18) + bytes({0, 2, 1, 'x'}), "", operations,
                         bytes({1, 1, 2, 0x7f}), bytes({1, 0}), bytes({1}), "", "", bytes({0, 130}),
                         bytes({5}), bytes({0, 0, 1}), "", "", bytes({16, 20}), ""}));
}

BOOST_AUTO_TEST_CASE(what_comes_often_is_one_code) {
    std::string code;
    for (int i = 0; i < 6; ++i) {
        code += bytes({0x41, 7, 0x1a});
    }
    const std::string module = module_of(code);
    BOOST_TEST(
        wasm_streams(module) ==
        told_of(module, {module.substr(0, 18) + bytes({0, 2, 1, 'x'}), bytes({0x41, 7, 0, 0}),
                         bytes({0xe0, 0x1a, 0xe0, 0x1a, 0xe0, 0x1a, 0xe0, 0x1a, 0xe0, 0x1a, 0xe0,
                                0x1a, 0x0b}),
                         bytes({1, 1, 2, 0x7f}), "", "", "", "", "", "", "", "", "", "", ""}));
}

// Behind one another the pieces are what they were cut from, the sizes with the first.
BOOST_AUTO_TEST_CASE(streams_part_into_pieces) {
    const std::string module = module_of(bytes({0x20, 1, 0x41, 5, 0x10, 0x82, 1}));
    const std::string streams = wasm_streams(module);
    std::string joined;
    for (const std::string_view piece : ridgeline::web::parted(streams)) {
        BOOST_TEST(!piece.empty());
        joined += piece;
    }
    BOOST_TEST((joined == streams));
    BOOST_TEST(ridgeline::web::parted(streams).size() == 6U);
    BOOST_TEST(ridgeline::web::parted(module.substr(0, 8)).size() == 1U);
    BOOST_TEST(ridgeline::web::parted(streams.substr(0, 9)).size() <= 1U);
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_stays_as_it_is) {
    for (const std::string& code :
         {bytes({0x12, 0}), bytes({0xfd, 0}), bytes({0xfc, 8, 0, 0}), bytes({0x28, 4, 0}),
          bytes({0x02}), bytes({0x0b}), bytes({0x10, 0x80, 0x80, 4}),
          bytes({0x20, 0xff, 0xff, 0xff, 0xff, 0x0f}), bytes({0xd8})}) {
        const std::string module = module_of(code);
        BOOST_TEST((wasm_streams(module) == module));
    }
    BOOST_TEST(wasm_streams("") == "");
    BOOST_TEST(wasm_streams("no module") == "no module");
}

BOOST_AUTO_TEST_CASE(what_is_cut_short_or_changed_is_read_without_harm) {
    const std::string module =
        module_of(bytes({0x02, 0x40, 0x20, 1, 0x0e, 2, 0, 0,    0,    0x0b, 0x44, 0,
                         0,    0,    0,    0, 0,    0, 0, 0x1a, 0xfc, 10,   0,    0}));
    BOOST_TEST((wasm_streams(module) != module));
    for (std::size_t size = 0; size < module.size() - 4; ++size) {
        BOOST_TEST((wasm_streams(module.substr(0, size)) == module.substr(0, size)), size);
    }
    for (std::size_t at = 0; at < module.size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            std::string changed = module;
            changed[at] = static_cast<char>(value);
            BOOST_TEST(!wasm_streams(changed).empty());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
