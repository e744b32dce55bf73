import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSelfSignedCertificate, signUpByPhone } from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { minioProgram, startMinio, type S3Server } from '../../services/files/tests/startS3Server.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';
import { setUpJourney } from './support/journey.ts';
import { pieceBytes, createSeededPiece } from './uppy/seededBytes.ts';

/*
 * Uppy with temporary credentials signs by itself, and for Amazon alone: it knows no other server name. The browser
 * therefore resolves Amazon's name to this machine, where MinIO accepts what was signed for it.
 */
const amazon = 's3.us-east-1.amazonaws.com';
const roleArn = 'arn:aws:iam::000000000000:role/nolo-uploads';

let storage: S3Server | undefined;
let own: TestStack | undefined;
let pages = '';
/** Requests of the browser to Amazon, without their varying parts. */
const requests: string[] = [];
const front = createServer(createSelfSignedCertificate(amazon), (incoming, outgoing) => {
  const { method, url = '', headers } = incoming;
  requests.push(`${method ?? ''} ${url.split('?')[0] ?? ''}`);
  const onward = request(new URL(url, storage?.endpoint), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.once('error', () => outgoing.destroy());
  incoming.pipe(onward);
});

// Skipped: without Go there is no such server; with it, `npm test` builds one before its tests.
const withServer = minioProgram === undefined ? describe.skip : describe;

withServer('with temporary credentials', () => {
  beforeAll(async () => {
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  const { story, openPage, url } = setUpJourney(
    () => own?.urls[0] ?? '',
    () => {
      const { port } = front.address() as AddressInfo;
      return [`--host-resolver-rules=MAP ${amazon} 127.0.0.1:${port}`, '--ignore-certificate-errors'];
    },
  );
  beforeAll(async () => {
    storage = await startMinio(minioProgram ?? '', '*');
    pages = await mkdtemp(join(tmpdir(), 'nolo-uppy-'));
    const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
    const source = join(projectRoot, 'tests/e2e/uppy');
    await promisify(execFile)(process.execPath, [vite, 'build', source, '--outDir', pages, '--emptyOutDir']);
    own = await startTestStack({
      env: {
        WEB_DIR: pages,
        FILES_DRIVER: 's3',
        ...storage.environment,
        S3_PUBLIC_ENDPOINT: `https://${amazon}`,
        S3_STS_ROLE_ARN: roleArn,
        UPLOAD_ORIGIN: `https://${amazon}`,
      },
    });
  });
  afterAll(async () => {
    await own?.stop();
    front.close();
    front.closeAllConnections();
    await storage?.stop();
    await rm(pages, { recursive: true, force: true });
  });

  story('an unmodified Uppy uploads a file in parts that it signed itself', async () => {
    const pieces = 12;
    const user = await signUpByPhone(url());
    const { page } = await openPage({ as: user, path: '/?credentials' });
    await page.waitForFunction('globalThis.upload');
    const uploaded = await page.evaluate<{ url: string; parts: number }>(`upload('large.bin', ${pieces})`);
    expect(uploaded).toMatchObject({ url: expect.stringMatching(/^\/objects\//), parts: 3 });
    const fileId = uploaded.url.split('/').at(-1) ?? '';

    const parts = requests.filter((line) => line.startsWith('PUT '));
    expect(parts).toHaveLength(3);
    for (const putRequest of parts) expect(putRequest).toMatch(new RegExp(`^PUT /nolo/incoming/[\\w-]{32}/${fileId}$`));

    const headers = { authorization: `Bearer ${user.api.token ?? ''}` };
    const reply = await fetch(new URL(uploaded.url, url()), { headers });
    const expected = createHash('sha256');
    for (let index = 0; index < pieces; index += 1) expected.update(createSeededPiece(index));
    const got = createHash('sha256').update(new Uint8Array(await reply.arrayBuffer()));
    expect(got.digest('hex')).toBe(expected.digest('hex'));
    const { body } = await user.api.get(`/api/files/${fileId}`);
    expect(body).toMatchObject({ name: 'large.bin', size: pieces * pieceBytes, kind: 'file' });
  });
});
