import { isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isLoopback } from './launcherOptions.ts';

interface Instance {
  /** Host of the app. Default: loopback. */
  host?: string;
  publicUrl?: string;
  environment?: NodeJS.ProcessEnv;
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * Returns the media addresses as variables of a media node. Browsers that reach the gateway from other machines also
 * have to reach the media node. Firefox on this machine finds no path to loopback, so a real address is added: clients
 * that have not joined lack the ICE password and get no answer there (RFC 8445, section 7.3).
 */
export function createMediaAddressEnv(
  { host, publicUrl, environment = {} }: Instance,
  interfaces: Interfaces = networkInterfaces(),
): Record<string, string> {
  const own = ownAddress(interfaces);
  if (host === undefined || isLoopback(host)) {
    // A chosen address is not mixed with a detected one.
    const chosen = environment['MEDIA_LISTEN_IP'] || environment['MEDIA_ANNOUNCED_ADDRESS'];
    return chosen || own === undefined ? {} : { MEDIA_LISTEN_IP: `127.0.0.1,${own}` };
  }
  if (isIP(host) !== 0 && host !== '0.0.0.0' && host !== '::') return { MEDIA_LISTEN_IP: host };
  const named = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const announcedAddress = named !== undefined && !isLoopback(named) ? named : own;
  return announcedAddress === undefined
    ? {}
    : { MEDIA_LISTEN_IP: '0.0.0.0', MEDIA_ANNOUNCED_ADDRESS: announcedAddress };
}

/** Returns true if loopback is the only media address, where only Chromium connects. */
export function isMediaOnLoopback(instance: Instance, interfaces: Interfaces = networkInterfaces()): boolean {
  const { environment = {} } = instance;
  const taken = { ...createMediaAddressEnv(instance, interfaces), ...environment };
  const announcedAddress = taken['MEDIA_ANNOUNCED_ADDRESS'] || taken['MEDIA_LISTEN_IP'] || '127.0.0.1';
  return announcedAddress.split(',').every((address) => isLoopback(address.trim()));
}

/** Returns the address of this machine in its network. Link-local addresses are useless in a candidate. */
function ownAddress(interfaces: Interfaces): string | undefined {
  const outward = Object.values(interfaces).flatMap((all) => (all ?? []).filter(({ internal }) => !internal));
  const usable = outward.filter(({ address }) => !/^(169\.254\.|fe[89ab])/i.test(address));
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address;
}
