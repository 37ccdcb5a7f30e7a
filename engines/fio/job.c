#include "engines/fio/job.h"

#include <errno.h>
#include <stdlib.h>

struct lab_job *lab_job_of(struct thread_data *td) {
  struct lab_job *job = td->io_ops_data;
  if (job) return job;
  job = calloc(1, sizeof(*job));
  if (!job) return NULL;
  job->max_events = td->o.iodepth > 0 ? td->o.iodepth : 1;
  job->events = calloc(job->max_events, sizeof(*job->events));
  if (!job->events) {
    free(job);
    return NULL;
  }
  td->io_ops_data = job;
  return job;
}

int lab_fail(struct thread_data *td, int error, const char *text) {
  log_err("lab: job %s: %s\n", td->o.name ? td->o.name : "?", text);
  td_verror(td, error, "lab");
  return 1;
}

int lab_set_file(struct thread_data *td, const char *what, uint64_t device_bytes) {
  char text[LAB_ERROR_BYTES];
  struct fio_file *f;
  unsigned long long end;

  if (!td->files_index) {
    add_file(td, td->o.filename ? td->o.filename : "image", 0, 0);
    td->o.nr_files = td->o.nr_files ? td->o.nr_files : 1;
    td->o.open_files++;
  }
  if (td->files_index > 1) {
    snprintf(text, sizeof(text),
             "%s: a job loads one image, but nrfiles or filename ask for %u files: remove them and "
             "use numjobs or more sections",
             what, td->files_index);
    return lab_fail(td, EINVAL, text);
  }
  f = td->files[0];
  /* A file named like the section may exist in the directory; it has no meaning here. */
  f->filetype = FIO_TYPE_FILE;
  f->real_file_size = device_bytes;

  end = get_start_offset(td, f);
  if (td->o.file_size_low)
    end = td->o.file_size_high; /* filesize= is counted from 0 */
  else if (td->o.size)
    end += td->o.size;
  else if (end < device_bytes)
    end = device_bytes;
  else
    end++; /* nothing left behind the offset */
  if (end <= device_bytes) return 0;
  snprintf(text, sizeof(text),
           "%s is %llu bytes (%llu MiB), but offset= and size= reach to byte %llu: make them "
           "smaller or the image larger",
           what, (unsigned long long)device_bytes, (unsigned long long)device_bytes >> 20, end);
  return lab_fail(td, EINVAL, text);
}

enum fio_q_status lab_fio_queue(struct thread_data *td, struct io_u *io_u) {
  struct lab_job *job = td->io_ops_data;
  enum lab_op op;
  int error;

  switch (io_u->ddir) {
    case DDIR_READ:
      op = LAB_READ;
      break;
    case DDIR_WRITE:
      op = LAB_WRITE;
      break;
    case DDIR_TRIM:
      op = LAB_TRIM;
      break;
    case DDIR_SYNC:
    case DDIR_DATASYNC:
    case DDIR_SYNC_FILE_RANGE:
      op = LAB_SYNC;
      break;
    default:
      io_u->error = EINVAL;
      return FIO_Q_COMPLETED;
  }
  error = lab_submit(job->device, io_u->engine_data, op, op == LAB_SYNC ? 0 : io_u->offset,
                     op == LAB_SYNC ? 0 : io_u->xfer_buflen, io_u->xfer_buf);
  if (error) {
    io_u->error = error;
    io_u->resid = io_u->xfer_buflen;
    td_verror(td, error, "submit");
    return FIO_Q_COMPLETED;
  }
  return FIO_Q_QUEUED;
}

int lab_fio_getevents(struct thread_data *td, unsigned int min, unsigned int max,
                      const struct timespec *t) {
  struct lab_job *job = td->io_ops_data;
  int64_t timeout_ns = t ? t->tv_sec * 1000000000LL + t->tv_nsec : -1;
  if (max > job->max_events) max = job->max_events;
  return (int)lab_reap(job->device, job->events, min, max, timeout_ns);
}

struct io_u *lab_fio_event(struct thread_data *td, int event) {
  struct lab_job *job = td->io_ops_data;
  struct lab_completion *done = &job->events[event];
  struct io_u *io_u = done->user;
  io_u->error = (unsigned)done->error;
  io_u->resid = done->residual;
  return io_u;
}

int lab_fio_io_u_init(struct thread_data *td, struct io_u *io_u) {
  (void)td;
  io_u->engine_data = lab_io_new(io_u);
  return io_u->engine_data ? 0 : ENOMEM;
}

void lab_fio_io_u_free(struct thread_data *td, struct io_u *io_u) {
  (void)td;
  lab_io_free(io_u->engine_data);
  io_u->engine_data = NULL;
}

int lab_fio_open_file(struct thread_data *td, struct fio_file *f) {
  (void)td;
  (void)f;
  return 0; /* the image is open from init to cleanup */
}

int lab_fio_close_file(struct thread_data *td, struct fio_file *f) {
  (void)td;
  (void)f;
  return 0;
}

void lab_fio_cleanup(struct thread_data *td) {
  struct lab_job *job = td->io_ops_data;
  char text[LAB_ERROR_BYTES];

  if (!job) return;
  td->io_ops_data = NULL;
  if (job->device) {
    int error = lab_close(job->device, text);
    if (error) lab_fail(td, error, text);
  }
  free(job->events);
  free(job);
}
