/** Browsers keep passkeys for names alone: at an address such as 127.0.0.1 they refuse. */
export function passkeysWork(hostname = location.hostname): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return !isAddress && typeof globalThis.PublicKeyCredential === 'function';
}
