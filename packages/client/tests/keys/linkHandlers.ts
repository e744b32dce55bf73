import type { DeviceLink } from '@nolo/api';
import { checkOffer, fromUuid, toUuid } from '@nolo/e2ee';
import { fromText } from '../../src/keys/wire.ts';
import {
  refuse,
  type ServedLink,
  type Session,
  type CallParts,
  type Handler,
  type ServedState,
} from './servedState.ts';

/** Handlers of links. */

export const linkHandlers = (server: ServedState): Record<string, Handler> => ({
  async beginDeviceLink(session, { body }) {
    const first = body as { offer: string } | { commitment: string };
    const offered = 'offer' in first ? await checkOffer(fromText(first.offer), fromUuid(session.userId)) : null;
    for (const [id, link] of server.links) if (link.session === session.id) server.links.delete(id);
    const id = offered ? toUuid(offered.device) : crypto.randomUUID();
    const link: ServedLink = {
      id,
      state: offered ? 'offered' : 'committed',
      expiresAt: new Date(server.now() + 600_000).toISOString(),
      commitment: 'commitment' in first ? first.commitment : null,
      offer: 'offer' in first ? first.offer : null,
      newRandom: null,
      oldRandom: null,
      head: null,
      answer: null,
      done: null,
      userAgent: session.name,
      place: null,
      userId: session.userId,
      session: session.id,
      offeredDevice: offered ? id : null,
    };
    server.links.set(id, link);
    return answer(server, session, link);
  },

  async getDeviceLink(session, parts) {
    return shown(session, findLink(server, session, parts));
  },

  async challengeDeviceLink(session, parts) {
    server.requireDevice(session);
    const { random, head } = parts.body as { random: string; head: string };
    return step(server, session, parts, 'challenged', { oldRandom: random, head });
  },

  async openDeviceLink(session, parts) {
    const { random, offer } = parts.body as { random: string; offer: string };
    const reply = step(server, session, parts, 'opened', { newRandom: random, offer });
    const { device } = await checkOffer(fromText(offer), fromUuid(session.userId));
    findLink(server, session, parts).offeredDevice = toUuid(device);
    return reply;
  },

  async answerDeviceLink(session, parts) {
    server.requireDevice(session);
    return step(server, session, parts, 'answered', { answer: (parts.body as { answer: string }).answer });
  },

  async confirmDeviceLink(session, parts) {
    return step(server, session, parts, 'confirmed', { done: (parts.body as { done: string }).done });
  },

  async endDeviceLink(session, parts) {
    const link = findLink(server, session, parts);
    server.links.delete(link.id);
    server.emit(session.userId, { type: 'device_link_changed', data: { id: link.id } });
  },
});

function answer(server: ServedState, session: Session, link: ServedLink): DeviceLink {
  server.emit(session.userId, { type: 'device_link_changed', data: { id: link.id } });
  return shown(session, link);
}

function shown({ id }: Session, link: ServedLink): DeviceLink {
  return { ...link, own: link.session === id };
}

function findLink(server: ServedState, session: Session, parts: CallParts): ServedLink {
  const link = server.links.get(String(parts.params?.['id']));
  if (!link || link.userId !== session.userId || !server.isOpen(link)) return refuse(404, 'link_not_found');
  return link;
}

/** Takes a step once; the same content again gets the first answer. */
function step(
  server: ServedState,
  session: Session,
  parts: CallParts,
  state: DeviceLink['state'],
  fields: Partial<DeviceLink>,
): DeviceLink {
  const link = findLink(server, session, parts);
  const known = Object.keys(fields).filter((key) => link[key as keyof ServedLink] !== null);
  const isSame = known.every((key) => link[key as keyof ServedLink] === fields[key as keyof DeviceLink]);
  if (known.length > 0 && !isSame) refuse(409, 'link_conflict');
  if (known.length > 0) return shown(session, link);
  Object.assign(link, fields, { state });
  return answer(server, session, link);
}
