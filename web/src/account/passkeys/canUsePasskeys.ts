/** Returns true if browsers support passkeys here: they refuse IP addresses such as 127.0.0.1. */
export function canUsePasskeys(hostname = location.hostname): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return !isAddress && typeof globalThis.PublicKeyCredential === 'function';
}
