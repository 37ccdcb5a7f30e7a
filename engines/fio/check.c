#include <string.h>

#include "engines/fio/job.h"

int lab_check_fio(const struct thread_data *td, const struct ioengine_ops *self) {
  if (strcmp(fio_version_string, LAB_FIO_VERSION) != 0) {
    log_err(
        "lab: this engine was built for %s, but %s loaded it: nothing is measured, since fio's "
        "structures may differ; build lab against the sources of %s (./bootstrap does)\n",
        LAB_FIO_VERSION, fio_version_string, fio_version_string);
    return 1;
  }
  if (td->io_ops != self) {
    log_err(
        "lab: %s was configured otherwise than the sources that this engine was built against "
        "(thread_data differs): nothing is measured; build lab against the sources of the "
        "installed fio, configured the same way (./bootstrap does)\n",
        fio_version_string);
    return 1;
  }
  return 0;
}

int lab_check_layout(unsigned layout) {
  if (layout == LAB_LAYOUT_MAGIC) return 0;
  log_err(
      "lab: the engine's options are not where %s puts them: nothing is measured; build lab "
      "against the sources of the installed fio (./bootstrap does), and leave lab_layout alone\n",
      fio_version_string);
  return 1;
}
