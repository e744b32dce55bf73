import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCompilers } from './buildPackages.ts';
import { chooseCompilerJobs, parseNinjaProgress } from './ninjaBuild.ts';
import { mayUseBuiltWorker, chooseWorker, type WorkerSources } from './provideMediaWorker.ts';
import { buildMarkerFile } from './workerPlaces.ts';
import { renderMesonNativeFile, applyPatch, readWrapDirectory } from './workerSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-worker-'));
const named = join(folder, 'mediasoup-worker');

beforeAll(() => {
  writeFileSync(named, '', { mode: 0o755 });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Returns sources that have the given workers and record which source was queried. */
function sources(found: Partial<Record<keyof WorkerSources, string>>): WorkerSources & { triedSources: string[] } {
  const triedSources: string[] = [];
  function answer(name: keyof WorkerSources): string | undefined {
    triedSources.push(name);
    return found[name];
  }
  return {
    triedSources,
    named: () => answer('named'),
    installed: () => answer('installed'),
    prebuilt: async () => await Promise.resolve(answer('prebuilt')),
    built: () => answer('built'),
    build: async () => await Promise.resolve(answer('build') ?? 'fresh'),
  };
}

describe('chooseWorker', () => {
  it('uses the named worker, and tries no other source', async () => {
    const from = sources({ named, installed: 'installed' });
    await expect(chooseWorker(from, true)).resolves.toMatchObject({ binary: named, built: false });
    expect(from.triedSources).toEqual(['named']);
  });

  it.each([
    ['installed', { installed: 'a', prebuilt: 'b', built: 'c' }, 'a', false],
    ['prebuilt', { prebuilt: 'b', built: 'c' }, 'b', false],
    ['built before', { built: 'c' }, 'c', true],
    ['built now', {}, 'fresh', true],
  ])('uses the worker that is %s if none was named', async (_where, found, binary, built) => {
    await expect(chooseWorker(sources(found), true)).resolves.toMatchObject({ binary, built });
  });

  it('builds only as a last resort', async () => {
    const from = sources({ built: 'c' });
    await chooseWorker(from, true);
    expect(from.triedSources).toEqual(['named', 'installed', 'prebuilt', 'built']);
  });

  it('rejects a named one that does not exist', async () => {
    await expect(chooseWorker(sources({ named: '/nowhere/worker' }), true)).rejects.toThrow(
      'MEDIASOUP_WORKER_BIN names /nowhere/worker, which cannot be run.',
    );
  });

  it('neither builds a worker nor uses a built one if production forbids it', async () => {
    const from = sources({ built: 'c' });
    await expect(chooseWorker(from, false)).rejects.toThrow(/could not be downloaded, and production accepts no other/);
    expect(from.triedSources).not.toContain('built');
    expect(from.triedSources).not.toContain('build');
  });

  it('recognizes a built one by its marker file', async () => {
    writeFileSync(join(folder, buildMarkerFile), '{}');
    await expect(chooseWorker(sources({ named }), true)).resolves.toMatchObject({ built: true });
    await expect(chooseWorker(sources({ named }), false)).rejects.toThrow(/was built by Nolo itself/);
    await expect(chooseWorker(sources({ installed: named }), false)).rejects.toThrow(/MEDIA_ALLOW_BUILT_WORKER=true/);
  });

  it('accepts a built one outside production, or when allowed explicitly', () => {
    expect(mayUseBuiltWorker({})).toBe(true);
    expect(mayUseBuiltWorker({ NOLO_MODE: 'demo' })).toBe(true);
    expect(mayUseBuiltWorker({ NOLO_MODE: 'production' })).toBe(false);
    expect(mayUseBuiltWorker({ NOLO_MODE: 'production', MEDIA_ALLOW_BUILT_WORKER: 'true' })).toBe(true);
  });
});

describe('findCompilers', () => {
  function having(...names: string[]): (name: string) => string | undefined {
    return (name) => (names.includes(name) ? `/usr/bin/${name}` : undefined);
  }

  it('prefers gcc, and accepts clang', () => {
    expect(findCompilers(having('gcc', 'g++', 'clang', 'clang++', 'python3'))).toMatchObject({ cpp: '/usr/bin/g++' });
    expect(findCompilers(having('clang', 'clang++', 'python3'))).toMatchObject({ cpp: '/usr/bin/clang++' });
  });

  it.each([
    [['gcc', 'python3'], /takes g\+\+: install it \("apt-get install g\+\+" as root\), or name a mediasoup-worker 3/],
    [['gcc', 'g++'], /takes python3: install it/],
    [[], /takes g\+\+ and python3: install them \("apt-get install g\+\+ python3" as root\)/],
  ])('reports what is missing with %j, and how to install it', (names, sentence) => {
    const answer = findCompilers(having(...names));
    expect(answer).toHaveProperty('message', expect.stringMatching(sentence));
  });
});

describe('the source', () => {
  it('is patched only where it matches what the patch expects', () => {
    const patch = { file: 'meson.build', from: 'a > b', to: '$& c' };
    expect(applyPatch('if a > b:', patch)).toBe('if $& c:');
    expect(() => applyPatch('if a < b:', patch)).toThrow(/meson\.build does not contain “a > b” exactly once/);
    expect(() => applyPatch('a > b a > b', patch)).toThrow(/differs from the one that scripts\/mediaWorker can build/);
  });

  it('has its subprojects where the .wrap files point', () => {
    expect(readWrapDirectory('[wrap-file]\ndirectory = libuv-v1.51.0\nsource_url = x\n')).toBe('libuv-v1.51.0');
  });

  it("gets the programs, the libraries and the worker's companions", () => {
    const tools = {
      c: 'gcc',
      cpp: 'g++',
      meson: { command: 'meson', args: [], env: {} },
      ninja: 'ninja',
      flatc: ['env', "A=it's", 'flatc'],
      headerFolders: ['/p/usr/include'],
      libraries: { libuv: ['/p/libuv.a'], openssl: [], libsrtp: [], flatbuffers: [], abseil: [] },
      companions: [],
    };
    const text = renderMesonNativeFile(tools);
    expect(text).toContain(`flatc = ['env', 'A=it\\'s', 'flatc']`);
    expect(text).toContain(`cpp_args = ['-isystem', '/p/usr/include']`);
    expect(text).toContain(`libuv = ['/p/libuv.a']`);
    expect(text).toContain(`cpp_link_args = ['-s']\n`);
    expect(renderMesonNativeFile({ ...tools, companions: ['/p/libnss3.so'] })).toContain('-Wl,-rpath,$ORIGIN/lib');
  });
});

describe('the build', () => {
  it('runs as many compilers as cores and memory allow', () => {
    expect(chooseCompilerJobs(2, 16e9)).toBe(2);
    expect(chooseCompilerJobs(16, 3e9)).toBe(4);
    expect(chooseCompilerJobs(4, 1e8)).toBe(1);
  });

  it('reports its progress', () => {
    expect(parseNinjaProgress('[57/263] Compiling C++ object a.o')).toBe(2);
    expect(parseNinjaProgress('[263/263] Linking target mediasoup-worker')).toBe(10);
    expect(parseNinjaProgress('warning: [1/2]')).toBeUndefined();
  });
});
