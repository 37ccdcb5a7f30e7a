/* The fio ioengine lab-rbd: RBD images through librbd, with proven cache modes.
 * Its options are described in docs/engine-options.md. */
#include "engines/fio/rbd_bridge.h"

#include <errno.h>
#include <stdio.h>

#include <optgroup.h>
#include <verify.h>
#include "engines/fio/job.h"

struct rbd_options {
  void *pad; /* fio uses the first member itself, and an offset of 0 is no option */
  char *clustername;
  char *conf;
  char *clientname;
  char *keyring;
  char *pool;
  char *name_space;
  char *rbdname;
  unsigned int cache;
  char *rados_conf;
  char *effective;
  char *counters;
  unsigned int lab_layout;
};

// Names of members and designated initialisers can't stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define TEXT_OPTION(option, member, text)                                                     \
  {                                                                                           \
    .name = option, .lname = option, .type = FIO_OPT_STR_STORE,                               \
    .off1 = offsetof(struct rbd_options, member), .help = text, .category = FIO_OPT_C_ENGINE, \
    .group = FIO_OPT_G_INVALID                                                                \
  }
// NOLINTEND(bugprone-macro-parentheses)

static struct fio_option options[] = {
    TEXT_OPTION("clustername", clustername, "Name of the cluster (default: ceph)"),
    TEXT_OPTION("conf", conf, "Ceph configuration file (default: where Ceph looks for it)"),
    TEXT_OPTION("clientname", clientname, "Client, with or without \"client.\" (default: admin)"),
    TEXT_OPTION("keyring", keyring, "Keyring file (default: as configured)"),
    TEXT_OPTION("pool", pool, "Pool of the image"),
    TEXT_OPTION("namespace", name_space, "Namespace in the pool (default: none)"),
    TEXT_OPTION("rbdname", rbdname, "Name of the image"),
    {
        .name = "cache",
        .lname = "cache mode",
        .type = FIO_OPT_STR,
        .off1 = offsetof(struct rbd_options, cache),
        .help = "librbd's cache, whatever direct= says; the job fails if it isn't in force",
        .def = "config",
        .posval = {{.ival = "off", .oval = LAB_RBD_CACHE_OFF, .help = "No cache"},
                   {.ival = "writethrough",
                    .oval = LAB_RBD_CACHE_WRITETHROUGH,
                    .help = "Reads are cached, writes wait for the cluster"},
                   {.ival = "writeback",
                    .oval = LAB_RBD_CACHE_WRITEBACK,
                    .help = "Reads and writes are cached, from the first write on"},
                   {.ival = "writearound",
                    .oval = LAB_RBD_CACHE_WRITEAROUND,
                    .help = "Writes are answered early, reads are not cached"},
                   {.ival = "config",
                    .oval = LAB_RBD_CACHE_CONFIG,
                    .help = "As image, pool and cluster are configured"}},
        .category = FIO_OPT_C_ENGINE,
        .group = FIO_OPT_G_INVALID,
    },
    TEXT_OPTION("rados_conf", rados_conf, "More Ceph options: key=value,key=value"),
    TEXT_OPTION("effective", effective, "File to which effective options and counts are appended"),
    TEXT_OPTION("counters", counters, "Counter file, made by lab, for live figures"),
    LAB_LAYOUT_OPTION(struct rbd_options),
    {
        .name = NULL,
    },
};

/* The one symbol that fio looks for; the only one exported. */
__attribute__((visibility("default"))) extern struct ioengine_ops ioengine;

static struct lab_rbd_options core_options(const struct thread_data *td) {
  const struct rbd_options *o = td->eo;
  struct lab_rbd_options core = {
      .clustername = o->clustername,
      .conf = o->conf,
      .clientname = o->clientname,
      .keyring = o->keyring,
      .rados_conf = o->rados_conf,
      .pool = o->pool,
      .name_space = o->name_space,
      .rbdname = o->rbdname,
      .cache = o->cache,
      .effective = o->effective,
      .counters = o->counters,
      .job = td->o.name,
      .subjob = td->thread_number - 1,
  };
  return core;
}

static void image_name(const struct rbd_options *o, char *name, size_t bytes) {
  snprintf(name, bytes, "image %s/%s%s%s", o->pool ? o->pool : "?",
           o->name_space ? o->name_space : "", o->name_space ? "/" : "",
           o->rbdname ? o->rbdname : "?");
}

static int check(const struct thread_data *td) {
  if (lab_check_fio(td, &ioengine)) return 1;
  return lab_check_layout(((const struct rbd_options *)td->eo)->lab_layout);
}

/* In fio's main thread, for all jobs before the first starts (create_serialize=0: in
 * the job itself, after init). */
static int setup(struct thread_data *td) {
  struct lab_rbd_options core;
  struct lab_job *job;
  char text[LAB_ERROR_BYTES];
  uint64_t bytes = 0;
  int error;

  if (check(td)) return 1;
  job = lab_job_of(td);
  if (!job) return lab_fail(td, ENOMEM, "out of memory");
  if (job->device) {
    bytes = lab_rbd_size(job->device);
  } else {
    /* librbd's threads don't survive a fork, and jobs share what is in one process. */
    td->o.use_thread = 1;
    core = core_options(td);
    error = lab_rbd_image_size(&core, &bytes, text);
    if (error) return lab_fail(td, error, text);
    job->setup_size = bytes;
  }
  image_name(td->eo, text, sizeof(text));
  return lab_set_file(td, text, bytes);
}

static void warn_of_small_trims(struct thread_data *td, struct lab_job *job) {
  uint64_t granularity = lab_rbd_discard_granularity(job->device);
  if (!td_trim(td) || td->o.min_bs[DDIR_TRIM] >= granularity) return;
  log_info(
      "lab: job %s: librbd answers trims below rbd_discard_granularity_bytes (%llu) without "
      "trimming; use a larger block size, or rados_conf=rbd_discard_granularity_bytes=4096\n",
      td->o.name, (unsigned long long)granularity);
}

/* In the job: every section opens its image anew, so that no section reads from a
 * cache that another has filled. */
static int init(struct thread_data *td) {
  struct lab_rbd_options core;
  struct lab_job *job;
  char text[LAB_ERROR_BYTES];
  int error;

  if (check(td)) return 1;
  job = lab_job_of(td);
  if (!job) return lab_fail(td, ENOMEM, "out of memory");
  core = core_options(td);
  error = lab_rbd_open(&core, &job->device, text);
  if (error) return lab_fail(td, error, text);
  if (job->setup_size && lab_rbd_size(job->device) != job->setup_size)
    return lab_fail(td, EINVAL, "the image was resized since fio started; start again");
  warn_of_small_trims(td, job);
  return 0;
}

/* fio calls this before it verifies, where what is read has to come from the cluster,
 * and with direct=0 also each time a job starts over in its working set, where dropping
 * the cache would undo what cache= asks for. */
static int invalidate(struct thread_data *td, struct fio_file *f) {
  struct lab_job *job = td->io_ops_data;
  char text[LAB_ERROR_BYTES];
  int error;

  (void)f;
  if (!job || !job->device || td->o.verify == VERIFY_NONE) return 0;
  error = lab_rbd_drop_cache(job->device, text);
  if (error) lab_fail(td, error, text);
  return -error;
}

struct ioengine_ops ioengine = {
    .name = "lab-rbd",
    .version = FIO_IOOPS_VERSION,
    /* Diskless: fio must not look for, lay out or invalidate a file of that name. */
    .flags = FIO_DISKLESSIO | FIO_NOEXTEND | FIO_NODISKUTIL | FIO_NO_OFFLOAD,
    .setup = setup,
    .init = init,
    .queue = lab_fio_queue,
    .getevents = lab_fio_getevents,
    .event = lab_fio_event,
    .cleanup = lab_fio_cleanup,
    .open_file = lab_fio_open_file,
    .close_file = lab_fio_close_file,
    .invalidate = invalidate,
    .io_u_init = lab_fio_io_u_init,
    .io_u_free = lab_fio_io_u_free,
    .options = options,
    .option_struct_size = sizeof(struct rbd_options),
};
