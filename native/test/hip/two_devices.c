/* Some tests want two, which the stand-in has only if asked. */
#include <stdlib.h>

__attribute__((constructor)) static void want_two_devices(void)
{
    setenv("XSCHED_TEST_HIP_DEVICES", "2", 1);
}
