import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { projectRoot } from '../paths.ts';

const program = join(projectRoot, 'deploy/docker/health.mjs');
let server: Server | undefined;

afterEach(() => void server?.close());

/** Starts an installation that is ready from the given answer on. */
async function installation(readyAt: number): Promise<string> {
  let answers = 0;
  server = createServer((_request, response) => {
    answers += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: answers < readyAt ? 'degraded' : 'ready' }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
}

function runHealthCheck(...args: string[]): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}

describe('the health check of the images', () => {
  it('accepts an installation that is ready', async () => {
    expect(await runHealthCheck(await installation(1))).toEqual({ code: 0, stderr: '' });
  });

  it('reports what is wrong', async () => {
    const address = await installation(2);
    expect(await runHealthCheck(address)).toEqual({
      code: 1,
      stderr: `${address} reports degraded: {"status":"degraded"}\n`,
    });
  });

  it('opens a new connection for every attempt', async () => {
    const sockets = new Set<object>();
    server = createServer(({ socket }, response) => {
      response.statusCode = sockets.size > 0 && !sockets.has(socket) ? 200 : 404;
      sockets.add(socket);
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/varz`;
    expect(await runHealthCheck('--timeout=3', address)).toEqual({ code: 0, stderr: '' });
  });

  it('keeps asking until its timeout', async () => {
    expect(await runHealthCheck('--timeout=60', await installation(2))).toEqual({ code: 0, stderr: '' });
    server?.close();
    expect((await runHealthCheck('--timeout=1', await installation(1000))).code).toBe(1);
  });
});
