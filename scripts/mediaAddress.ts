import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from './options.ts';

/**
 * Where media is taken, as variables of a media node: browsers that reach the gateway from other machines have to reach
 * the media node as well. Nothing is set where loopback, the default, is right.
 */
export function mediaAddress({ host, publicUrl }: { host?: string; publicUrl?: string }): Record<string, string> {
  if (host === undefined || isLoopback(host)) return {};
  if (isIP(host) !== 0 && host !== '0.0.0.0' && host !== '::') return { MEDIA_LISTEN_IP: host };
  const named = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const announced = named !== undefined && !isLoopback(named) ? named : ownAddress();
  return announced === undefined ? {} : { MEDIA_LISTEN_IP: '0.0.0.0', MEDIA_ANNOUNCED_ADDRESS: announced };
}

/** The address of this machine in its network. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
