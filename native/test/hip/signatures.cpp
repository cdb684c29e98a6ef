/*
 * Compares the arguments of our wrappers with what the installed HIP headers declare: each by how it
 * is handed over, a pointer, an integer of 4 or of 8 bytes, or one of the structs by value.
 */
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdbool.h>
#include <type_traits>

/* As C sees it: in C++ some functions are templates, too. */
#undef __cplusplus
extern "C" {
#include <hip/hip_runtime_api.h>
}

#include "../../shim/by_value.h"

static_assert(sizeof(dim3) == sizeof(xshim_dim3), "dim3");
static_assert(sizeof(hipPitchedPtr) == sizeof(xshim_pitched), "hipPitchedPtr");
static_assert(sizeof(hipExtent) == sizeof(xshim_extent), "hipExtent");
static_assert(offsetof(hipLaunchParams, stream) == 48, "the c48 of the table");

template <typename T> constexpr char passed()
{
    if (std::is_pointer<T>::value) return 'p';
    if (std::is_same<T, dim3>::value) return 'd';
    if (std::is_same<T, hipPitchedPtr>::value) return 't';
    if (std::is_same<T, hipExtent>::value) return 'x';
    if (!std::is_integral<T>::value && !std::is_enum<T>::value) return '?';
    return sizeof(T) <= 4 ? 'i' : 'l'; /* callers widen smaller ones to 4 bytes */
}

/* What a letter of the table stands for. */
constexpr char passed_as(char letter)
{
    switch (letter) {
    case 'u': return 'i';
    case 'z': return 'l';
    case 's': case 'c': return 'p';
    default: return letter;
    }
}

template <typename R, typename... A> constexpr bool agrees(R (*)(A...), const char *letters)
{
    const char real[] = {passed<A>()..., 0};
    static_assert(sizeof(R) == 4, "an int or an enum is returned");
    size_t i = 0;
    while (real[i] != 0 && real[i] == passed_as(letters[i])) i++;
    return real[i] == 0 && letters[i] == 0;
}

#define MATCHES(function, letters)                                                                 \
    static_assert(agrees(&function, letters), #function " is declared otherwise");
#include "signatures.gen.h"
