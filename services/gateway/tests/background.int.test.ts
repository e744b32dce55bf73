import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { serveBackgroundModel } from '../src/http/backgroundModel.ts';
import { startGateway, type TestGateway } from './startGateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-background-'));
const model = Buffer.from([0, 1, 2, 3, 255, 254]);
const modelFile = join(folder, 'model.tflite');
const worker = '/assets/backgroundWorker-a_B-9.js';
let blurring: TestGateway;
let plain: TestGateway;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Nolo</title>');
  writeFileSync(join(folder, worker), 'self;');
  writeFileSync(join(folder, 'assets/index-1.js'), 'self;');
  writeFileSync(modelFile, model);
  [blurring, plain] = await Promise.all([
    startGateway({ WEB_DIR: folder, BACKGROUND_MODEL_FILE: modelFile }),
    startGateway({ WEB_DIR: folder }),
  ]);
});
afterAll(async () => {
  await Promise.all([blurring.stop(), plain.stop()]);
  rmSync(folder, { recursive: true });
});

const get = (gateway: TestGateway, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, gateway.url), { headers });
const policyOf = async (gateway: TestGateway, path: string) =>
  (await get(gateway, path)).headers.get('content-security-policy') ?? '';
const offers = async (gateway: TestGateway) =>
  (await gateway.anonymous.get('/api/config')).body.features.backgroundBlur as unknown;

it('serves the model and announces that backgrounds can be blurred', async () => {
  const reply = await get(blurring, '/models/background.tflite');
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
    200,
    'application/octet-stream',
    'public, max-age=86400',
  ]);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(model);
  const etag = reply.headers.get('etag') ?? '';
  const retry = await get(blurring, '/models/background.tflite', { 'if-none-match': etag });
  expect([retry.status, retry.headers.get('etag')]).toEqual([304, etag]);
  expect(await offers(blurring)).toBe(true);
});

it('allows the worker to run WebAssembly, and nothing else', async () => {
  expect(await policyOf(blurring, worker)).toBe(
    "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self';require-trusted-types-for 'script';trusted-types 'none'",
  );
  for (const path of ['/', '/assets/index-1.js', '/api/config', '/models/background.tflite']) {
    expect(await policyOf(blurring, path)).toContain("script-src 'self';");
  }
});

it('offers neither without a model', async () => {
  expect(await offers(plain)).toBe(false);
  expect((await get(plain, '/models/background.tflite')).status).toBe(404);
  expect(await policyOf(plain, worker)).not.toContain('wasm');
});

it('does not start with an unreadable model', () => {
  expect(() => serveBackgroundModel(express(), join(folder, 'missing.tflite'))).toThrow(
    /^BACKGROUND_MODEL_FILE names a file/,
  );
});
