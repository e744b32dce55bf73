import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Log } from '@nolo/kit/log';
import type { RequestHandler } from 'express';
import { companionCookie } from './session.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

type Encoding = 'br' | 'gzip' | 'identity';

interface WebFile {
  type: string;
  etag: string;
  immutable: boolean;
  bodies: Record<'identity', Buffer> & Partial<Record<'br' | 'gzip', Buffer>>;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The build's own leftovers: source maps tell what is inside, the manifest is for the build alone; and a file's smaller forms. */
function isForBrowsers(path: string): boolean {
  return !/\.(?:map|br|gz)$/.test(path) && !path.split('/').some((part) => part.startsWith('.'));
}

/** A smaller form of a file, which the build puts beside it; one that is older than the file is of another build. */
function smallerForm(file: string, ending: 'br' | 'gz'): Buffer | undefined {
  const form = statSync(`${file}.${ending}`, { throwIfNoEntry: false });
  return form && form.mtimeMs >= statSync(file).mtimeMs ? readFileSync(`${file}.${ending}`) : undefined;
}

function load(folder: string): Map<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const file of filesUnder(folder)) {
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    if (!isForBrowsers(path)) continue;
    const identity = readFileSync(file);
    const [br, gzip] = [smallerForm(file, 'br'), smallerForm(file, 'gz')];
    files.set(path, {
      type: types[extname(path)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`,
      // Vite puts a hash of the content into the name of everything under assets.
      immutable: path.startsWith('/assets/'),
      bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return files;
}

/** What a build changes: its page, and the service worker, which is made last. Undefined where there is no page. */
function stampOf(folder: string): string | undefined {
  const of = (name: string) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat?.isFile() === true ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined;
  };
  const page = of('index.html');
  return page && `${page}, ${of('serviceWorker.js') ?? 'none'}`;
}

/** The assets that the page names, which every visit begins with. */
function namedAssets(files: ReadonlyMap<string, WebFile>): string[] {
  const page = files.get('/index.html')?.bodies.identity.toString() ?? '';
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"?#]+)"/g)].map(([, path]) => path ?? '');
}

/** Whether everything that the page names is there; while a build is being written it is not. */
function isWhole(files: ReadonlyMap<string, WebFile>): boolean {
  const isWritten = (files.get('/index.html')?.bodies.identity.length ?? 0) > 0;
  return isWritten && namedAssets(files).every((path) => files.has(path));
}

/** Where one conversation is open. */
const conversationPath = /^\/chat\/([\da-f-]{36})$/;

/**
 * What the document asks first where somebody is signed in (web/src/session/earlyConversation.ts). Named beside it, the
 * answers come together with the script that asks, a round trip sooner. Only those questions have these addresses: an
 * answer that nobody takes stays with the browser, and must not be taken for that of a later one.
 */
function firstQuestions(path: string, cookie = ''): string[] {
  const id = conversationPath.exec(path)?.[1];
  if (id === undefined || !cookie.split(/;\s*/).includes(`${companionCookie}=1`)) return [];
  const conversation = `/api/conversations/${id}`;
  return [`${conversation}?early`, `${conversation}/messages?limit=50&early`];
}

const missing = `<!doctype html><meta charset="utf-8"><title>Nolo</title>
<p>The web app has not been built: WEB_DIR names no folder with an index.html. Run npm start, or build it with npm run build in web.</p>
`;

/**
 * The built web app, held in memory and read again when it was built anew. Every page of it is one document, so whatever asks for a page gets that; where to
 * go from there is the app's own business.
 */
export function serveWeb(webDir: string, log: Log): RequestHandler {
  const folder = resolve(webDir);
  let stamp = stampOf(folder);
  if (stamp === undefined) {
    log.warn({ webDir: folder }, 'The web app is missing: WEB_DIR names no folder with an index.html.');
  }
  let current = new Map<string, WebFile>();
  let files = current;
  const takeOver = (loaded: Map<string, WebFile>) => {
    // A page that is open since before the last build still asks for the parts of that one.
    const before = [...current].filter(([path, { immutable }]) => immutable && !loaded.has(path));
    files = new Map([...before, ...loaded]);
    current = loaded;
  };
  if (stamp !== undefined) takeOver(load(folder));

  /** Whoever asks for anything but an asset, which never changes, gets the newest build that is there as a whole. */
  const refresh = () => {
    const now = stampOf(folder);
    if (now === undefined || now === stamp) return;
    try {
      const loaded = load(folder);
      if (!isWhole(loaded)) return;
      takeOver(loaded);
      stamp = now;
      log.info({ webDir: folder }, 'a new build of the web app is served');
    } catch (error) {
      // It is being written at this moment; the next request looks again.
      log.debug({ err: error }, 'a new build of the web app cannot be read yet');
    }
  };

  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const { path } = request;
    if (!path.startsWith('/assets/')) refresh();
    const wantsPage = request.accepts(['html', 'json']) === 'html' && request.headers.accept !== undefined;
    const page =
      path === '/' || path === '/index.html' || (wantsPage && extname(path) === '') ? '/index.html' : undefined;
    const file = files.get(path) ?? (page === undefined ? undefined : files.get(page));
    if (!file) {
      if (page !== undefined) {
        response.locals['route'] = 'page';
        response.status(503).type('html').send(missing);
        return undefined;
      }
      return next();
    }

    response.locals['route'] = file.immutable ? 'asset' : 'page';
    const { bodies, etag, type } = file;
    const offered = (['br', 'gzip', 'identity'] as const).filter((name) => bodies[name] !== undefined);
    const chosen = request.acceptsEncodings([...offered]);
    const encoding: Encoding = chosen === 'br' || chosen === 'gzip' ? chosen : 'identity';
    // Encodings are different bytes, so each has a validator of its own (RFC 9110 section 8.8.3.3).
    const validator = encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`;
    response.setHeader('Content-Type', type);
    const isDocument = file === files.get('/index.html');
    response.setHeader('Vary', isDocument ? 'Accept-Encoding, Cookie' : 'Accept-Encoding');
    if (isDocument) {
      const asked = firstQuestions(path, request.headers.cookie);
      const links = asked.map((question) => `<${question}>; rel=preload; as=fetch; crossorigin=use-credentials`);
      if (links.length > 0) response.setHeader('Link', links);
    }
    response.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.setHeader('ETag', validator);
    if (
      request.headers['if-none-match']?.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === validator) === true
    ) {
      response.status(304).end();
      return undefined;
    }
    const body = bodies[encoding] ?? bodies.identity;
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', body.length);
    response.status(200).end(request.method === 'HEAD' ? undefined : body);
    return undefined;
  };
}
