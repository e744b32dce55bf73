import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'nolo-packages-'));
const calls = join(folder, 'calls');

const script = (name: string, text: string) => {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
};

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  // Fake package manager: a download is a file, and unpacking it creates a program.
  script('apt-get', `echo "$@" >> ${calls}\nfor name; do :; done\necho > $name.deb\n`);
  script('dpkg', 'mkdir -p $3/usr/bin\nprintf "#!/bin/sh\\n" > $3/usr/bin/one\nchmod +x $3/usr/bin/one\n');
  script('ldd', '');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a separate process with a shared cache. Returns the path of the program. */
async function bringInProcess(): Promise<string> {
  const code = `
    import { fetchDebianProgram } from ${JSON.stringify(new URL('debianProgram.ts', import.meta.url).href)};
    import { silentProgress } from ${JSON.stringify(new URL('../progress.ts', import.meta.url).href)};
    const wanted = { title: 'One', name: 'one', packages: ['one'], program: 'usr/bin/one' };
    console.log((await fetchDebianProgram(wanted, silentProgress)).command);`;
  const { PATH, HOME } = process.env;
  const env = { HOME, PATH: `${join(folder, 'bin')}:${PATH ?? ''}`, XDG_CACHE_HOME: join(folder, 'cache') };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
  return stdout.trim();
}

test('concurrent starts download a program once, and all of them get it', async () => {
  const brought = await Promise.all([1, 2, 3].map(bringInProcess));
  expect(new Set(brought).size).toBe(1);
  expect(brought[0]?.startsWith(join(folder, 'cache'))).toBe(true);
  expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(1);
});
