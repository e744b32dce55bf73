/** The origins whose pages may act with a session cookie. */
export function allowedOrigins(publicUrl: string, demo: boolean, port: number): ReadonlySet<string> {
  const origins = new Set([publicUrl]);
  // People type all three names of their own machine, and demo mode runs there.
  if (demo)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) origins.add(new URL(`http://${host}:${port}`).origin);
  return origins;
}

export interface OriginEvidence {
  origin: string | undefined;
  secFetchSite: string | undefined;
}

/**
 * Whether a request that a cookie authorises comes from a page of ours. Browsers send Origin with every request that
 * changes something and with every socket; Sec-Fetch-Site cannot be forged by a page either. Neither of them is not
 * proof of innocence.
 */
export function comesFromOurPage(evidence: OriginEvidence, allowed: ReadonlySet<string>): boolean {
  if (evidence.origin !== undefined) return allowed.has(evidence.origin);
  return evidence.secFetchSite === 'same-origin';
}

/** Whether a request shows that it was made by someone else's page; clients that are no browsers send neither header. */
export function comesFromForeignPage(evidence: OriginEvidence, allowed: ReadonlySet<string>): boolean {
  if (evidence.origin !== undefined) return !allowed.has(evidence.origin);
  return evidence.secFetchSite !== undefined && !['same-origin', 'none'].includes(evidence.secFetchSite);
}

/**
 * Whether a page of ours led here. A navigation has no Origin, and over plain http and in older browsers no
 * Sec-Fetch-Site either; then Referer speaks, which our pages send to themselves. An address from outside the browser
 * (`none`: a mail, a QR code) proves as little as a link on someone else's page.
 */
export function navigatedFromOurPage(
  { secFetchSite, referer }: { secFetchSite: string | undefined; referer: string | undefined },
  allowed: ReadonlySet<string>,
): boolean {
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin';
  return referer !== undefined && URL.canParse(referer) && allowed.has(new URL(referer).origin);
}
