import { isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isLoopback } from './options.ts';

interface Instance {
  /** Where the app is reached; loopback unless given. */
  host?: string;
  publicUrl?: string;
  environment?: NodeJS.ProcessEnv;
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * Where media is taken, as variables of a media node. Browsers that reach the gateway from other machines have to reach
 * the media node as well; and Firefox on this machine finds no path to loopback, so that a real address is taken beside
 * it: who has not joined lacks the password of ICE and gets no answer there (RFC 8445, section 7.3).
 */
export function mediaAddress(
  { host, publicUrl, environment = {} }: Instance,
  interfaces: Interfaces = networkInterfaces(),
): Record<string, string> {
  const own = ownAddress(interfaces);
  if (host === undefined || isLoopback(host)) {
    // What somebody chose is not mixed with what was found.
    const chosen = environment['MEDIA_LISTEN_IP'] || environment['MEDIA_ANNOUNCED_ADDRESS'];
    return chosen || own === undefined ? {} : { MEDIA_LISTEN_IP: `127.0.0.1,${own}` };
  }
  if (isIP(host) !== 0 && host !== '0.0.0.0' && host !== '::') return { MEDIA_LISTEN_IP: host };
  const named = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const announced = named !== undefined && !isLoopback(named) ? named : own;
  return announced === undefined ? {} : { MEDIA_LISTEN_IP: '0.0.0.0', MEDIA_ANNOUNCED_ADDRESS: announced };
}

/** Whether loopback is all that there is for media, where only Chromium finds it. */
export function isMediaOnLoopback(instance: Instance, interfaces: Interfaces = networkInterfaces()): boolean {
  const { environment = {} } = instance;
  const taken = { ...mediaAddress(instance, interfaces), ...environment };
  const announced = taken['MEDIA_ANNOUNCED_ADDRESS'] || taken['MEDIA_LISTEN_IP'] || '127.0.0.1';
  return announced.split(',').every((address) => isLoopback(address.trim()));
}

/** The address of this machine in its network; those that hold for one link only are of no use in a candidate. */
function ownAddress(interfaces: Interfaces): string | undefined {
  const outward = Object.values(interfaces).flatMap((all) => (all ?? []).filter(({ internal }) => !internal));
  const usable = outward.filter(({ address }) => !/^(169\.254\.|fe[89ab])/i.test(address));
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address;
}
