/* Words of ours that a device reads, too. */
#include <sys/mman.h>

#include "cuda.h"
#include "platforms.h"

#define CU_MEMHOSTREGISTER_DEVICEMAP 2u
#define PAGE 4096u

/*
 * Shared, so that a fork does not part the page from the one that the device knows. What fails is left:
 * the driver may know it.
 */
uint32_t *cuda_page(uint64_t *on_device)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool known = page != MAP_FAILED && REAL(cuda, cuMemHostRegister_v2) != NULL &&
                 REAL(cuda, cuMemHostGetDevicePointer_v2) != NULL &&
                 REAL(cuda, cuMemHostRegister_v2)(page, PAGE, CU_MEMHOSTREGISTER_DEVICEMAP) == 0 &&
                 REAL(cuda, cuMemHostGetDevicePointer_v2)(on_device, page, 0) == 0;
    return known ? page : NULL;
}
