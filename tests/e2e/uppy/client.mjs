import AwsS3 from '@uppy/aws-s3';
import { RequestClient } from '@uppy/companion-client';
import Uppy from '@uppy/core';
import { seededPiece } from './seededBytes.ts';

/*
 * A page of somebody else's: Uppy as it comes from its registry, told nothing but where the routes are. The test speaks to
 * it through `upload`, `importLink` and `until`. It is no TypeScript, for the types of Uppy bring those of browsers along,
 * which the tests do without.
 */

const here = new URL(import.meta.url).origin;
// With credentials it signs by itself, in parts alone: it names what goes in one piece as it likes.
const withCredentials = new URLSearchParams(location.search).has('credentials');
const signing = withCredentials ? { getTemporarySecurityCredentials: true, shouldUseMultipart: true } : {};
const uppy = new Uppy().use(AwsS3, { endpoint: '/', ...signing });
const links = new RequestClient(uppy, { pluginId: 'links', provider: 'url', companionUrl: here });
uppy.registerRequestClient('links', links);

/** How much of the file has arrived, and who waits for more. */
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
  const data = new Blob(Array.from({ length: pieces }, (_, index) => seededPiece(index)));
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
