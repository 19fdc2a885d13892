#pragma once

#include <compare>

namespace ridgeline {

/// A physical quantity: a double tagged with integer exponents of byte, FLOP, second, dollar and
/// joule, so that adding bytes to seconds does not compile and bytes / (bytes per second) is a
/// time.
///
/// Made by multiplying a number with a unit (`80.0 * gibibyte`), read by dividing by one
/// (`memory / gibibyte`). A quotient of equal dimensions is a plain double.
template <int Byte, int Flop, int Second, int Dollar, int Joule>
class Quantity {
public:
    constexpr Quantity() = default;
    /// The value in base units (byte, FLOP, second, US dollar, joule). Prefer the units below.
    static constexpr Quantity of_base(double value) { return Quantity(value); }
    [[nodiscard]] constexpr double base() const { return value_; }

    constexpr Quantity& operator+=(Quantity other) {
        value_ += other.value_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        value_ -= other.value_;
        return *this;
    }
    constexpr Quantity& operator*=(double factor) {
        value_ *= factor;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) {
        return Quantity(a.value_ + b.value_);
    }
    friend constexpr Quantity operator-(Quantity a, Quantity b) {
        return Quantity(a.value_ - b.value_);
    }
    friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
    friend constexpr Quantity operator*(Quantity a, double factor) {
        return Quantity(a.value_ * factor);
    }
    friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
    friend constexpr Quantity operator/(Quantity a, double divisor) {
        return Quantity(a.value_ / divisor);
    }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

private:
    explicit constexpr Quantity(double value) : value_(value) {}
    double value_ = 0;
};

namespace detail {
template <int B, int F, int S, int D, int J>
constexpr auto quantity_or_number(double value) {
    if constexpr (B == 0 && F == 0 && S == 0 && D == 0 && J == 0) {
        return value;
    } else {
        return Quantity<B, F, S, D, J>::of_base(value);
    }
}
}  // namespace detail

template <int B1, int F1, int S1, int D1, int J1, int B2, int F2, int S2, int D2, int J2>
constexpr auto operator*(Quantity<B1, F1, S1, D1, J1> a, Quantity<B2, F2, S2, D2, J2> b) {
    return detail::quantity_or_number<B1 + B2, F1 + F2, S1 + S2, D1 + D2, J1 + J2>(a.base() *
                                                                                   b.base());
}
template <int B1, int F1, int S1, int D1, int J1, int B2, int F2, int S2, int D2, int J2>
constexpr auto operator/(Quantity<B1, F1, S1, D1, J1> a, Quantity<B2, F2, S2, D2, J2> b) {
    return detail::quantity_or_number<B1 - B2, F1 - F2, S1 - S2, D1 - D2, J1 - J2>(a.base() /
                                                                                   b.base());
}

using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0>;  ///< a count of floating-point operations, not a rate
using Seconds = Quantity<0, 0, 1, 0, 0>;
using Dollars = Quantity<0, 0, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, 0, -1, 0, 0>;
using FlopsPerSecond = Quantity<0, 1, -1, 0, 0>;
using DollarsPerSecond = Quantity<0, 0, -1, 1, 0>;
using Watts = Quantity<0, 0, -1, 0, 1>;

inline constexpr Bytes byte = Bytes::of_base(1);
inline constexpr Bytes kibibyte = Bytes::of_base(1024.0);
inline constexpr Bytes mebibyte = Bytes::of_base(1024.0 * 1024.0);
inline constexpr Bytes gibibyte = Bytes::of_base(1024.0 * 1024.0 * 1024.0);
inline constexpr Bytes gigabyte = Bytes::of_base(1e9);
inline constexpr Flops flop = Flops::of_base(1);
inline constexpr Seconds second = Seconds::of_base(1);
inline constexpr Seconds millisecond = Seconds::of_base(1e-3);
inline constexpr Seconds microsecond = Seconds::of_base(1e-6);
inline constexpr Seconds hour = Seconds::of_base(3600);
inline constexpr Seconds day = Seconds::of_base(86400);
inline constexpr Dollars dollar = Dollars::of_base(1);
inline constexpr Joules joule = Joules::of_base(1);
inline constexpr Joules kilowatt_hour = Joules::of_base(3.6e6);
inline constexpr Watts watt = joule / second;
inline constexpr BytesPerSecond gigabyte_per_second = gigabyte / second;
inline constexpr FlopsPerSecond teraflop_per_second = FlopsPerSecond::of_base(1e12);

}  // namespace ridgeline
