/* What every engine of lab needs from fio: the checks at start, and the ioengine_ops
 * that pass I/Os to a lab_device. */
#ifndef LAB_ENGINES_FIO_JOB_H
#define LAB_ENGINES_FIO_JOB_H

#include <fio.h>

#include "engines/fio/bridge.h"

/* A job's state, in td->io_ops_data. */
struct lab_job {
  struct lab_device *device; /* null until init */
  struct lab_completion *events;
  unsigned max_events;
  uint64_t setup_size; /* what setup read; 0 if it was not called before init */
};

/* The value of every engine's hidden last option: shows that td->eo really is our
 * options, and that fio filled them. */
#define LAB_LAYOUT_MAGIC 1279345153
#define LAB_LAYOUT_MAGIC_TEXT "1279345153"

/* The hidden option of `options_struct`, whose member `lab_layout` must be the last. */
#define LAB_LAYOUT_OPTION(options_struct)                                        \
  {                                                                              \
    .name = "lab_layout", .lname = "layout check", .type = FIO_OPT_INT,          \
    .off1 = offsetof(options_struct, lab_layout), .def = LAB_LAYOUT_MAGIC_TEXT,  \
    .help = "Used by the engine to check that it fits this fio; leave it alone", \
    .category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID                     \
  }

/* Whether this fio is the one that the engine was built for. Otherwise it says so on
 * stderr, and the job must fail before anything is measured: fio itself notices
 * another version of ioengine_ops only, and no other layout of its structures. */
int lab_check_fio(const struct thread_data *td, const struct ioengine_ops *self);

/* To be called second; `layout` is the option's value. */
int lab_check_layout(unsigned layout);

/* The td's state, made on first use; null when memory is out. */
struct lab_job *lab_job_of(struct thread_data *td);

/* Gives the job its one file, as large as the device, and refuses I/O beyond it.
 * `what` names the device in errors. Returns 0 or 1. */
int lab_set_file(struct thread_data *td, const char *what, uint64_t device_bytes);

/* Reports an error of lab on fio's stderr and in the job's result. Returns 1. */
int lab_fail(struct thread_data *td, int error, const char *text);

enum fio_q_status lab_fio_queue(struct thread_data *td, struct io_u *io_u);
int lab_fio_getevents(struct thread_data *td, unsigned int min, unsigned int max,
                      const struct timespec *t);
struct io_u *lab_fio_event(struct thread_data *td, int event);
int lab_fio_io_u_init(struct thread_data *td, struct io_u *io_u);
void lab_fio_io_u_free(struct thread_data *td, struct io_u *io_u);
int lab_fio_open_file(struct thread_data *td, struct fio_file *f);
int lab_fio_close_file(struct thread_data *td, struct fio_file *f);
void lab_fio_cleanup(struct thread_data *td);

#endif
