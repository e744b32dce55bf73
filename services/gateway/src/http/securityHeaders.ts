import helmet from 'helmet';
import type { RequestHandler } from 'express';

/**
 * Returns the socket's origins: `connect-src 'self'` does not include them in every browser still in use. A policy
 * cannot contain IPv6 addresses, and browsers report an error for one that does.
 */
function socketOrigins(origins: ReadonlySet<string>): string[] {
  return [...origins].filter((origin) => !origin.includes('[')).map((origin) => origin.replace(/^http/, 'ws'));
}

/**
 * Returns the policy of our pages (design section 7): no inline scripts, no evaluated text, nothing from elsewhere.
 * Each exception is made here for one purpose, with its reason.
 */
export function createPagePolicy(
  origins: ReadonlySet<string>,
  elsewhere: { uploads?: string | undefined; payments?: readonly string[] } = {},
) {
  const { uploads, payments = [] } = elsewhere;
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    // React sets styles through the CSSOM, which is not affected.
    'style-src': ["'self'"],
    // blob: shows a picture before it is uploaded; data: is for the icons in the style sheet.
    'img-src': ["'self'", 'blob:', 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    // If uploads go directly to the object store, pages connect to it.
    'connect-src': ["'self'", ...socketOrigins(origins), ...(uploads === undefined ? [] : [uploads])],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    // Payment pages. Browsers also check redirects after a form against this, so these must be all origins involved.
    'form-action': ["'self'", ...payments],
    // Text becomes code only through policies with these names: one registers the service worker; the others start the
    // workers of blurred backgrounds, sent pictures, encoded media, search, date formats and keys.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [
      'nolo-sw',
      'nolo-background',
      'nolo-pictures',
      'nolo-frames',
      'nolo-search',
      'nolo-dates',
      'nolo-keys',
    ],
  };
}

/**
 * Returns the policy of the worker for blurred backgrounds, sent with its file: only it may run WebAssembly, and it
 * fetches that and the model from here.
 */
export function createBackgroundWorkerPolicy() {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'connect-src': ["'self'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
}

/** Returns the policy of the API document's viewer, which builds its page from strings and inline styles. */
export function createDocsPolicy() {
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

export type ContentSecurityPolicy = Record<string, string[]>;

/** Returns the handlers that set the headers of every reply. */
export function createSecurityHeaders(options: { policy: ContentSecurityPolicy; secure: boolean }): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: options.policy },
      // Two years, if the site uses TLS.
      strictTransportSecurity: options.secure ? { maxAge: 63_072_000, includeSubDomains: false } : false,
      // Pop-ups of sign-in pages must be able to return.
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
