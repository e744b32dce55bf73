import helmet from 'helmet';
import type { RequestHandler } from 'express';

/**
 * The socket's address: `connect-src 'self'` does not cover it in every browser that people still use. A policy cannot
 * name IPv6 addresses, and browsers complain about one that tries.
 */
function socketOrigins(origins: ReadonlySet<string>): string[] {
  return [...origins].filter((origin) => !origin.includes('[')).map((origin) => origin.replace(/^http/, 'ws'));
}

/**
 * What a page of ours may load and do (design section 7). No inline script, no evaluated text, nothing from elsewhere.
 * An opening is made here, for one thing, with its reason.
 */
export function pagePolicy(
  origins: ReadonlySet<string>,
  elsewhere: { uploads?: string | undefined; payments?: readonly string[] } = {},
) {
  const { uploads, payments = [] } = elsewhere;
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    // React sets styles through the CSSOM, which this does not concern.
    'style-src': ["'self'"],
    // blob: shows a picture before it is uploaded; data: are the icons inside the style sheet.
    'img-src': ["'self'", 'blob:', 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    // Where uploads go straight to the object store, pages bring them there.
    'connect-src': ["'self'", ...socketOrigins(origins), ...(uploads === undefined ? [] : [uploads])],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    // Where one pays. Browsers hold redirects that follow a form against this too, so these are all that it leads through.
    'form-action': ["'self'", ...payments],
    // Text turns into code only through policies of these names: one registers the service worker and nothing else, the
    // others start the workers of blurred backgrounds, of pictures that are sent, of encoded media and of searching, and
    // nothing else.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['nolo-sw', 'nolo-background', 'nolo-pictures', 'nolo-frames', 'nolo-search', 'nolo-dates'],
  };
}

/**
 * The worker of blurred backgrounds has a policy of its own, which comes with its file: it alone may run WebAssembly, and
 * it fetches that and the model from here.
 */
export function backgroundWorkerPolicy() {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'connect-src': ["'self'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
}

/** The viewer of the API document builds its page from strings and styles of its own, so it gets a policy of its own. */
export function docsPolicy() {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'none'"],
  };
}

export type ContentPolicy = Record<string, string[]>;

/** Headers of every answer. */
export function securityHeaders(options: { policy: ContentPolicy; secure: boolean }): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: options.policy },
      // Two years, once the site is reached over TLS at all.
      strictTransportSecurity: options.secure ? { maxAge: 63_072_000, includeSubDomains: false } : false,
      // Pop-ups of sign-in pages must be able to come back.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
    }),
    (_request, response, next) => {
      response.setHeader(
        'Permissions-Policy',
        'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self), geolocation=(), payment=(), usb=()',
      );
      next();
    },
  ];
}
