/** Returns the origins whose pages may use a session cookie. */
export function listAllowedOrigins(publicUrl: string, demo: boolean, port: number): ReadonlySet<string> {
  const origins = new Set([publicUrl]);
  // People use all three names of their own machine, where demo mode runs.
  if (demo)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) origins.add(new URL(`http://${host}:${port}`).origin);
  return origins;
}

export interface OriginEvidence {
  origin: string | undefined;
  secFetchSite: string | undefined;
}

/**
 * Returns true if a request authorized by a cookie comes from one of our pages. Browsers send Origin with every
 * state-changing request and every socket, and pages cannot forge Sec-Fetch-Site. If both are missing, the origin is
 * unproven.
 */
export function comesFromOurPage(evidence: OriginEvidence, allowed: ReadonlySet<string>): boolean {
  if (evidence.origin !== undefined) return allowed.has(evidence.origin);
  return evidence.secFetchSite === 'same-origin';
}

/**
 * Returns true if a request was demonstrably made by a foreign page; clients other than browsers send neither header.
 */
export function comesFromForeignPage(evidence: OriginEvidence, allowed: ReadonlySet<string>): boolean {
  if (evidence.origin !== undefined) return !allowed.has(evidence.origin);
  return evidence.secFetchSite !== undefined && !['same-origin', 'none'].includes(evidence.secFetchSite);
}

/**
 * Returns true if one of our pages led here. A navigation has no Origin, and over plain http or in older browsers no
 * Sec-Fetch-Site either; Referer then decides, which our pages send to the same origin. A link from outside the browser
 * (`none`: an email, a QR code) proves as little as one on a foreign page.
 */
export function navigatedFromOurPage(
  { secFetchSite, referer }: { secFetchSite: string | undefined; referer: string | undefined },
  allowed: ReadonlySet<string>,
): boolean {
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin';
  return referer !== undefined && URL.canParse(referer) && allowed.has(new URL(referer).origin);
}
