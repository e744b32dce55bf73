import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStopStack } from './lifecycle.ts';

describe('createStopStack', () => {
  it('stops in reverse order, once, even if a step fails', async () => {
    const stopped: string[] = [];
    const stack = createStopStack();
    stack.push('database', () => void stopped.push('database'));
    stack.push('broken', () => Promise.reject(new Error('stuck')));
    stack.push('server', async () => void stopped.push('server'));
    await Promise.all([stack.stop(), stack.stop()]);
    await stack.stop();
    expect(stopped).toEqual(['server', 'database']);
  });
});

describe('runService', () => {
  let directory: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'nolo-lifecycle-'));
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  interface Started {
    child: ChildProcess;
    output: () => string;
    exit: Promise<unknown[]>;
    /** Rejects with the output if the process exits first. */
    nextMessage: () => Promise<unknown[]>;
  }

  async function start(body: string): Promise<Started> {
    const file = join(directory, `${children.length}.mjs`);
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    await writeFile(
      file,
      `import { runService } from ${module('./lifecycle.ts')};
       import { ConfigError } from ${module('../config.ts')};
       // Something to live for, as a server would be.
       const alive = setInterval(() => {}, 1000);
       void ConfigError;
       await runService({ name: 'test', start: async () => { ${body} } });`,
    );
    const child = fork(file, [], { silent: true, execArgv: [] });
    children.push(child);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exit = once(child, 'exit');
    const failed = exit.then(() => {
      throw new Error(`The process exited: ${output}`);
    });
    failed.catch(() => undefined);
    return {
      child,
      output: () => output,
      exit,
      nextMessage: () => Promise.race([once(child, 'message'), failed]),
    };
  }

  const stops = `return { ports: { rpc: 4711 }, stop: () => { console.log('cleaned up'); } };`;

  it('stops even if nobody reads its log', async () => {
    const { child, exit, nextMessage } = await start(stops.replace("console.log('cleaned up')", ''));
    await nextMessage();
    child.stdout?.destroy();
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('reports its ports to the supervisor, and stops on a signal', async () => {
    const { child, output, exit, nextMessage } = await start(stops);
    expect(await nextMessage()).toEqual([{ type: 'ready', ports: { rpc: 4711 } }, undefined]);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(output()).toContain('cleaned up');
  });

  it('stops when the supervisor is gone', async () => {
    const { child, output, exit, nextMessage } = await start(stops);
    await nextMessage();
    child.disconnect();
    expect(await exit).toEqual([0, null]);
    expect(output()).toContain('cleaned up');
  });

  it('exits immediately on the second signal', async () => {
    const { child, exit, nextMessage } = await start(`return { stop: () => new Promise(() => {}) };`);
    await nextMessage();
    child.kill('SIGINT');
    // Two signals sent simultaneously would arrive as one.
    child.stdout?.on('data', (line: Buffer) => {
      if (line.includes('stopping')) child.kill('SIGINT');
    });
    expect(await exit).toEqual([1, null]);
  });

  it('exits with 78 and an explanation if the configuration is invalid', async () => {
    const { output, exit } = await start(`throw new ConfigError(['PORT is missing; set it in the environment.']);`);
    expect(await exit).toEqual([78, null]);
    expect(output()).toContain('test cannot start:\n  PORT is missing; set it in the environment.');
  });

  it('cleans up after an uncaught error, and exits with 1', async () => {
    const { output, exit } = await start(`setTimeout(() => { throw new Error('lost'); }, 10); ${stops}`);
    expect(await exit).toEqual([1, null]);
    expect(output()).toContain('lost');
    expect(output()).toContain('cleaned up');
  });
});
