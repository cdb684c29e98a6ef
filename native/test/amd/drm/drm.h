/* All that linux/kfd_ioctl.h wants of this header, which not every system has. */
#include <linux/types.h>
