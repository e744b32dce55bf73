import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Log } from '@nolo/kit/log';
import type { RequestHandler } from 'express';
import { signedInHintCookieName } from './sessionAuthenticator.ts';

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

/** Excludes source maps, the manifest, and compressed variants of files. */
function isForBrowsers(path: string): boolean {
  return !/\.(?:map|br|gz)$/.test(path) && !path.split('/').some((pathSegment) => pathSegment.startsWith('.'));
}

/**
 * Reads a precompressed variant that the build writes next to a file. Ignores one that is older than the file, because
 * it belongs to another build.
 */
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
      // Vite adds a content hash to the name of everything under assets.
      immutable: path.startsWith('/assets/'),
      bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return files;
}

/** Identifies a build by its page and its service worker, which is written last. Undefined if there is no page. */
function stampOf(folder: string): string | undefined {
  const of = (name: string) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat?.isFile() === true ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined;
  };
  const page = of('index.html');
  return page && `${page}, ${of('serviceWorker.js') ?? 'none'}`;
}

/** Lists the assets that the page references, which every page load requests first. */
function namedAssets(files: ReadonlyMap<string, WebFile>): string[] {
  const page = files.get('/index.html')?.bodies.identity.toString() ?? '';
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"?#]+)"/g)].map(([, path]) => path ?? '');
}

/** True if every asset that the page references exists. False while a build is being written. */
function isWhole(files: ReadonlyMap<string, WebFile>): boolean {
  const isWritten = (files.get('/index.html')?.bodies.identity.length ?? 0) > 0;
  return isWritten && namedAssets(files).every((path) => files.has(path));
}

/** Path of an open conversation. */
const conversationPath = /^\/chat\/([\da-f-]{36})$/;

/**
 * Returns the first requests that the document makes for a signed-in user (web/src/session/earlyConversation.ts).
 * Preloading them makes the responses arrive together with the script, one round trip earlier. The `early` marker keeps
 * these addresses distinct: the browser keeps an unused response, which must not answer a later request.
 */
function firstQuestions(path: string, cookie = ''): string[] {
  const id = conversationPath.exec(path)?.[1];
  if (id === undefined || !cookie.split(/;\s*/).includes(`${signedInHintCookieName}=1`)) return [];
  const conversation = `/api/conversations/${id}`;
  return [`${conversation}?early&content=sealed`, `${conversation}/messages?limit=50&early&content=sealed`];
}

const missing = `<!doctype html><meta charset="utf-8"><title>Nolo</title>
<p>The web app has not been built: WEB_DIR names no folder with an index.html. Run npm start, or build it with npm run build in web.</p>
`;

/**
 * Serves the built web app from memory and reloads it after a new build. All pages are one document, so every page
 * request gets it and the app handles routing.
 */
export function serveWeb(webDir: string, log: Log): RequestHandler {
  const folder = resolve(webDir);
  let stamp = stampOf(folder);
  if (stamp === undefined) {
    log.warn({ webDir: folder }, 'web app missing: WEB_DIR has no index.html');
  }
  let current = new Map<string, WebFile>();
  let files = current;
  const takeOver = (loaded: Map<string, WebFile>) => {
    // Pages opened before the latest build still request that build's assets.
    const before = [...current].filter(([path, { immutable }]) => immutable && !loaded.has(path));
    files = new Map([...before, ...loaded]);
    current = loaded;
  };
  if (stamp !== undefined) takeOver(load(folder));

  /** Loads the newest complete build. Runs for every request except assets, which never change. */
  const refresh = () => {
    const now = stampOf(folder);
    if (now === undefined || now === stamp) return;
    try {
      const loaded = load(folder);
      if (!isWhole(loaded)) return;
      takeOver(loaded);
      stamp = now;
      log.info({ webDir: folder }, 'serving a new build of the web app');
    } catch (error) {
      // The build is still being written; the next request tries again.
      log.debug({ err: error }, 'new build of the web app not readable yet');
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
    // Each encoding has different bytes and therefore its own validator (RFC 9110 section 8.8.3.3).
    const validator = encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`;
    response.setHeader('Content-Type', type);
    const isDocument = file === files.get('/index.html');
    response.setHeader('Vary', isDocument ? 'Accept-Encoding, Cookie' : 'Accept-Encoding');
    if (isDocument) {
      const earlyRequests = firstQuestions(path, request.headers.cookie);
      const links = earlyRequests.map(
        (question) => `<${question}>; rel=preload; as=fetch; crossorigin=use-credentials`,
      );
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
