import { parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { BeginLinkRequest, ContinueLinkRequest, DeviceLink as DeviceLinkMessage } from '@nolo/proto/deviceLinks';
import type { KeyServiceDefinition } from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import type { DeviceLink, FirstLinkStep, LinkStep } from '../domain/deviceLinks.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { linkConflict, linkNotFound, toRefusedError } from './keyErrors.ts';
import { readBytes, readFixedBytes } from './keyRequests.ts';
import { readSession } from './keys.ts';
import { sessionInvalid } from './proofErrors.ts';

type Methods = typeof KeyServiceDefinition.methods;

const randomLength = 32;

function toLink(link: DeviceLink): DeviceLinkMessage {
  const { id, state, own, expiresAt, commitment, offer, newRandom, oldRandom, head, answer, done, name } = link;
  return {
    id,
    state,
    own,
    expiresAt,
    commitment: commitment ?? undefined,
    offer: offer ? { offer, random: newRandom ?? undefined } : undefined,
    challenge: oldRandom && head ? { random: oldRandom, head } : undefined,
    answer: answer ?? undefined,
    done: done ?? undefined,
    name,
    country: link.country ?? undefined,
    city: link.city ?? undefined,
  };
}

const stepMissing = () =>
  createIdentityError('invalid', 'invalid_request', 'The step of the link is missing.', { field: 'step' });

function readFirst({ first }: BeginLinkRequest): FirstLinkStep {
  if (first?.$case === 'offer') return { is: 'offer', offer: readBytes(first.value, { max: limits.linkOfferBytes }) };
  if (first?.$case === 'commitment') return { is: 'commitment', commitment: readFixedBytes(first.value, randomLength) };
  throw stepMissing();
}

function readStep({ step }: ContinueLinkRequest): LinkStep {
  if (step?.$case === 'challenge') {
    const { random, head } = step.value;
    return {
      is: 'challenge',
      random: readFixedBytes(random, randomLength),
      head: readBytes(head, { max: limits.linkHeadBytes }),
    };
  }
  if (step?.$case === 'opening') {
    const { offer, random } = step.value;
    return {
      is: 'opening',
      offer: readBytes(offer, { max: limits.linkOfferBytes }),
      random: readFixedBytes(random, randomLength),
    };
  }
  if (step?.$case === 'done') return { is: 'done', done: readBytes(step.value, { max: limits.linkAnswerBytes }) };
  if (step?.$case === 'answer') return { is: 'answer', answer: readBytes(step.value, { max: limits.linkAnswerBytes }) };
  throw stepMissing();
}

export function beginLink({ clock, deviceLinks, metrics }: Dependencies): RpcHandler<Methods['beginLink']> {
  return async (request) => {
    const requester = readSession(request);
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + limits.deviceLinkSeconds * 1000);
    try {
      const begun = await deviceLinks.begin(requester, readFirst(request), { now, expiresAt });
      if (begun === 'session_missing') throw sessionInvalid();
      if (begun === 'conflict') throw linkConflict();
      metrics.deviceLinks.inc({ event: 'begun' });
      return toLink(begun);
    } catch (error) {
      throw toRefusedError('link_refused', error);
    }
  };
}

export function getLink({ clock, deviceLinks }: Dependencies): RpcHandler<Methods['getLink']> {
  return async (request) => {
    const requester = readSession(request);
    const linkId = parseId(request.linkId);
    const link = linkId && (await deviceLinks.find(requester, linkId, clock.now()));
    if (!link) throw linkNotFound();
    return toLink(link);
  };
}

export function continueLink({ clock, deviceLinks, metrics }: Dependencies): RpcHandler<Methods['continueLink']> {
  return async (request) => {
    const requester = readSession(request);
    const linkId = parseId(request.linkId);
    if (!linkId) throw linkNotFound();
    try {
      const step = readStep(request);
      const advanced = await deviceLinks.advance(requester, linkId, step, clock.now());
      if (advanced.outcome !== 'taken' && advanced.outcome !== 'repeated')
        throw advanced.outcome === 'missing' ? linkNotFound() : linkConflict();
      if (advanced.outcome === 'taken') metrics.deviceLinks.inc({ event: advanced.link.state });
      return toLink(advanced.link);
    } catch (error) {
      const refused = toRefusedError('link_refused', error);
      if (refused !== error) metrics.deviceLinks.inc({ event: 'refused' });
      throw refused;
    }
  };
}

export function endLink({ clock, deviceLinks, metrics }: Dependencies): RpcHandler<Methods['endLink']> {
  return async (request) => {
    const requester = readSession(request);
    const linkId = parseId(request.linkId);
    if (!linkId || !(await deviceLinks.end(requester, linkId, clock.now()))) throw linkNotFound();
    metrics.deviceLinks.inc({ event: 'ended' });
    return {};
  };
}
