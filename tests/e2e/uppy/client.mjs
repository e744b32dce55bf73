import AwsS3 from '@uppy/aws-s3';
import { RequestClient } from '@uppy/companion-client';
import Uppy from '@uppy/core';
import { createSeededPiece } from './seededBytes.ts';

/*
 * Third-party page: Uppy from its registry, configured only with the address of the routes. The test uses `upload`,
 * `importLink` and `until`. Plain JavaScript, because Uppy's types include those of browsers, which the tests do
 * without.
 */

const here = new URL(import.meta.url).origin;
// Uppy with credentials signs by itself, and only in parts: it chooses its own names for single-part uploads.
const withCredentials = new URLSearchParams(location.search).has('credentials');
const signing = withCredentials ? { getTemporarySecurityCredentials: true, shouldUseMultipart: true } : {};
const uppy = new Uppy().use(AwsS3, { endpoint: '/', ...signing });
const links = new RequestClient(uppy, { pluginId: 'links', provider: 'url', companionUrl: here });
uppy.registerRequestClient('links', links);

/** Share of the file that has arrived, and callers waiting for more. */
let share = 0;
const waiting = [];
uppy.on('upload-progress', (_file, { bytesUploaded, bytesTotal }) => {
  share = bytesUploaded / bytesTotal;
  for (const one of waiting) if (share >= one.share) one.resolve();
});

async function finish(id) {
  let parts = 0;
  uppy.on('s3-multipart:part-uploaded', () => {
    parts += 1;
  });
  const { failed } = await uppy.upload();
  if (failed.length > 0) throw new Error(`Uppy gave up: ${failed[0].error}`);
  return { url: uppy.getFile(id).uploadURL, parts };
}

function upload(name, pieces) {
  const data = new Blob(Array.from({ length: pieces }, (_, index) => createSeededPiece(index)));
  return finish(uppy.addFile({ name, type: 'application/octet-stream', data }));
}

async function importLink(url) {
  const { name, type, size } = await links.post('url/meta', { url });
  const remote = { companionUrl: here, url: `${here}/url/get`, body: { fileId: url, url }, requestClientId: 'links' };
  return finish(uppy.addFile({ name, type, data: { size }, isRemote: true, body: {}, remote }));
}

const until = (wanted) =>
  new Promise((resolve) => {
    if (share >= wanted) resolve();
    else waiting.push({ share: wanted, resolve });
  });

Object.assign(globalThis, { upload, importLink, until });
