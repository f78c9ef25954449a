import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { atTheEnd } from '../support/at-the-end.ts';
import { findFreePort } from '../support/free-port.ts';
import { findDebianServer } from '../support/server-binaries.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');
const overlayFs = 0x79_4c_76_30;
const nodeImage = 'localhost/look-alike-node';

/** The services of compose.yaml, running. */
export interface ComposeStack {
  /** Where the service is published. */
  readonly address: string;
  readonly secret: string;
  /** Returns the container's name for a service of compose.yaml. */
  container(service: 'latchkey' | 'postgres'): string;
  /** The exit code of a podman command, and what it has written. */
  podman(...words: string[]): Promise<{ readonly code: number; readonly output: string }>;
}

/**
 * Builds the Dockerfile and starts compose.yaml, both as they are, with podman-compose. Registries aren't asked: the images
 * that they name are look-alikes, made of this machine's own Node.js and Debian's PostgreSQL, and `npm ci` takes packages
 * from this user's cache first. Images, containers, network and volumes are kept apart from the machine's own, and go in the
 * end.
 */
export async function startCompose(): Promise<ComposeStack> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-compose-'));
  const project = `latchkey-${randomBytes(4).toString('hex')}`;
  const [port, secret] = [await findFreePort(), randomBytes(32).toString('base64')];
  const env = {
    ...process.env,
    ...(await configurePodman(folder)),
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    SECRET: secret,
    POSTGRES_PASSWORD: randomBytes(16).toString('hex'),
  };
  const container = (service: string) => `${project}_${service}_1`;
  const podman = (...words: string[]) =>
    run('podman', words, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
    );
  const close = async (): Promise<void> => {
    await podman('rm', '--all', '--force', '--volumes', '--time', '0');
    await podman('volume', 'prune', '--force');
    await podman('network', 'rm', '--force', `${project}_default`);
    await run('umount', [join(folder, 'storage/overlay')]).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  atTheEnd(close);
  try {
    const build = (tag: string, context: string) => run('podman', ['build', '--tag', tag, context], { env });
    await build(nodeImage, await makeNodeImage(join(folder, 'node')));
    await build('docker.io/library/postgres:17', await makePostgresImage(join(folder, 'postgres')));
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], { env });
    const { stdout, stderr } = await run(
      'podman-compose',
      [
        '--project-name',
        project,
        `--podman-build-args=--layers=false --build-arg NODE_IMAGE=${nodeImage} --volume ${cache.trim()}:/npm-cache`,
        // Docker's read-only containers can't write even to /tmp.
        '--podman-run-args=--read-only-tmpfs=false',
        'up',
        '--build',
        '--detach',
      ],
      { env, cwd: repository },
    );
    // podman-compose ends with 0 whatever fails.
    const { code } = await podman('container', 'exists', container('latchkey'));
    if (code !== 0) throw new Error(`the image was not built or started: ${stdout}${stderr}`);
  } catch (error) {
    // Hooks don't run after a file that couldn't be loaded.
    await close();
    throw error;
  }
  return {
    address: `http://127.0.0.1:${port}`,
    secret,
    container,
    podman,
  };
}

/** Everything in one folder; works without systemd, as root in a virtual machine or container. */
async function configurePodman(folder: string): Promise<Readonly<Record<string, string>>> {
  const [containers, storage] = [join(folder, 'containers.conf'), join(folder, 'storage.conf')];
  await writeFile(
    containers,
    `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${folder}/tmp"
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=1024:1024"]
[network]
network_config_dir = "${folder}/networks"
`,
  );
  // One overlay doesn't lie on another.
  const driver = (await statfs(folder)).type === overlayFs ? 'vfs' : 'overlay';
  await writeFile(
    storage,
    `[storage]\ndriver = "${driver}"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
  );
  return {
    CONTAINERS_CONF: containers,
    CONTAINERS_STORAGE_CONF: storage,
    // For the cache that the Dockerfile mounts.
    TMPDIR: folder,
    BUILDAH_ISOLATION: 'chroot',
    // The other one knows no health checks.
    BUILDAH_FORMAT: 'docker',
  };
}

/** A build context with programs of this machine, where they are here, and the libraries that they load. */
async function gather(folder: string, programs: readonly string[], files: readonly string[]): Promise<void> {
  await Promise.all(
    ['tmp', 'etc', 'usr/local/bin'].map((name) => mkdir(join(folder, name), { recursive: true })),
  );
  await chmod(join(folder, 'tmp'), 0o1777);
  const { stdout } = await run('ldd', [...programs]);
  const libraries = new Set(stdout.match(/\/lib\S+(?= \(0x)/g));
  await run('cp', ['-rL', '--parents', ...programs, ...files, ...libraries, folder]);
  await writeFile(join(folder, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\npostgres:x:999:999::/:/bin/sh\n');
}

async function makeNodeImage(folder: string): Promise<string> {
  const cli = await realpath((await run('which', ['npm'])).stdout.trim());
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  await gather(
    folder,
    [process.execPath, '/bin/sh', '/bin/mkdir', '/bin/chown', '/bin/chmod'],
    [join(cli, '../..'), authorities],
  );
  await writeProgram(join(folder, 'bin/npm'), `exec node ${cli} "$@"`);
  await writeFile(
    join(folder, 'Dockerfile'),
    `FROM scratch
COPY . /
ENV PATH=${dirname(process.execPath)}:/usr/local/bin:/bin \\
    NODE_EXTRA_CA_CERTS=${authorities} npm_config_cache=/npm-cache npm_config_prefer_offline=true
`,
  );
  return folder;
}

/** The image takes the two settings of the official one that compose.yaml has. */
async function makePostgresImage(folder: string): Promise<string> {
  const { bin, lib, share } = findDebianServer();
  await gather(
    folder,
    ['initdb', 'postgres', 'pg_isready'].map((name) => join(bin, name)).concat('/bin/sh', '/bin/chown'),
    [join(lib, 'plpgsql.so'), join(lib, 'dict_snowball.so'), share, '/usr/share/zoneinfo/UTC'],
  );
  await writeProgram(
    join(folder, 'bin/start'),
    `set -e
export PGDATA=/var/lib/postgresql/data
if [ ! -e $PGDATA/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" >$PGDATA/../password
  initdb --username="$POSTGRES_USER" --pwfile=$PGDATA/../password --auth=scram-sha-256 --encoding=UTF8 --locale=C
  echo "create database $POSTGRES_USER" | postgres --single -j postgres
  echo 'host all all all scram-sha-256' >>$PGDATA/pg_hba.conf
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=''`,
  );
  await mkdir(join(folder, 'var/lib/postgresql/data'), { recursive: true });
  await writeFile(
    join(folder, 'Dockerfile'),
    `FROM scratch
COPY . /
RUN chown -R 999:999 /var/lib/postgresql
ENV PATH=${bin}:/bin
USER 999:999
STOPSIGNAL SIGINT
VOLUME /var/lib/postgresql/data
CMD ["start"]
`,
  );
  return folder;
}

async function writeProgram(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
