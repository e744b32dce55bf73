import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeBuildLock } from '../buildLock.ts';
import { getCacheFolder, findProgram } from '../paths.ts';
import { runCommand, lastOutputLines } from '../runCommand.ts';

/** Program built by `go install`. Versions are pinned so that the result of a check does not change overnight. */
export interface GoTool {
  /** Name of the program if an operator has it. */
  program: string;
  package: string;
  version: string;
  /** Name that Go gives it, from the last folder of its package. */
  built: string;
  /** Build time on a small machine, if more than a minute or two. */
  takes?: string;
}

export const goTools = {
  helm: { program: 'helm', package: 'helm.sh/helm/v4/cmd/helm', version: 'v4.3.1', built: 'helm' },
  kubeconform: {
    program: 'kubeconform',
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
    version: 'v0.8.0',
    built: 'kubeconform',
  },
  compose: {
    program: 'compose-spec',
    package: 'github.com/compose-spec/compose-go/v2/cmd',
    version: 'v2.16.2',
    built: 'cmd',
  },
  /** S3-compatible server over a folder, used to test the S3 driver. */
  versitygw: {
    program: 'versitygw',
    package: 'github.com/versity/versitygw/cmd/versitygw',
    version: 'v1.8.0',
    built: 'versitygw',
  },
  /**
   * Second S3 server for the tests, which also has STS. Its releases are not valid Go versions, so this is its last
   * commit.
   */
  minio: {
    program: 'minio',
    package: 'github.com/minio/minio',
    version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
    built: 'minio',
    takes: 'ten minutes',
  },
  /** Media server that meetings are compared with. */
  livekit: {
    program: 'livekit-server',
    package: 'github.com/livekit/livekit-server/cmd/server',
    version: 'v1.13.5',
    built: 'server',
    takes: 'ten minutes',
  },
} as const satisfies Record<string, GoTool>;

const minutes = 60_000;

function goFolder(): string {
  const folder = join(getCacheFolder(), 'go');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Returns Go, or throws a message that starts with the purpose. */
export function findGo(purpose: string): string {
  const go = findProgram('go') ?? (existsSync('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : undefined);
  if (go === undefined)
    throw new Error(`${purpose} Install Go (https://go.dev/dl), and this check downloads and builds it.`);
  return go;
}

const folderOf = ({ program, version }: GoTool) => join(goFolder(), `${program}-${version}`);

/** Returns the path of an available tool: the machine's own, or one built earlier. */
export function findInstalledGoTool(tool: GoTool): string | undefined {
  const built = join(folderOf(tool), tool.built);
  return findProgram(tool.program) ?? (existsSync(built) ? built : undefined);
}

/**
 * Returns the path of a tool: the machine's own, or one that Go builds into the cache folder. Throws a readable
 * message.
 */
export async function provideGoTool(tool: GoTool): Promise<string> {
  const known = findInstalledGoTool(tool);
  if (known !== undefined) return known;
  const go = findGo(`${tool.program} was not found.`);
  const folder = folderOf(tool);
  const unlock = await takeBuildLock(`${folder}.lock`, () => {
    console.log(`       ${tool.program} is being built by another process; waiting for it`);
  });
  try {
    return findInstalledGoTool(tool) ?? (await buildGoTool(go, tool, folder));
  } finally {
    unlock();
  }
}

async function buildGoTool(go: string, tool: GoTool, folder: string): Promise<string> {
  const built = join(folder, tool.built);
  console.log(`       Building ${tool.program} ${tool.version} with Go (once; ${tool.takes ?? 'a minute or two'})`);
  const { code, output } = await runCommand(go, ['install', `${tool.package}@${tool.version}`], {
    cwd: goFolder(),
    env: { ...process.env, GOBIN: folder },
    timeoutMs: 30 * minutes,
  });
  if (code !== 0 || !existsSync(built))
    throw new Error(`Go could not build ${tool.program}: ${lastOutputLines(output)}`);
  return built;
}

/** Returns the source folder of a module, which Go downloads through its proxy and verifies against its checksums. */
export async function downloadGoModule(module: string, version: string): Promise<string> {
  const go = findGo(`${module} could not be downloaded.`);
  const { code, output, stdout } = await runCommand(go, ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: goFolder(),
    env: process.env,
    timeoutMs: 5 * minutes,
  });
  if (code !== 0) throw new Error(`Go could not download ${module}: ${lastOutputLines(output)}`);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
