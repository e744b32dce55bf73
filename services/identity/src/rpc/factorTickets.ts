import { isAppError } from '@nolo/kit/errors';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { limits } from '@nolo/rules';
import type { AccountRecoveryWait, SecondFactorTicket } from '../domain/secondFactorPorts.ts';
import { normalizeCode, isOneTimePassword } from '../domain/recoveryCodes.ts';
import { hashToken, looksLikeToken } from '../domain/sessions.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readUserAgent } from './requests.ts';
import { createSessionWithToken, completeSignIn } from './signIn.ts';

type Rpc = (typeof SecondFactorServiceDefinition)['methods'];
const dayMs = 86_400_000;

function ticketInvalid() {
  return createIdentityError('invalid', 'ticket_invalid', 'That took too long. Sign in again.');
}

function spent() {
  return createIdentityError('invalid', 'second_factor_spent', 'Too many wrong codes. Sign in again.', {
    triesLeft: 0,
  });
}

function readTicket(ticket: string | undefined): Buffer {
  if (ticket === undefined || !looksLikeToken(ticket)) throw ticketInvalid();
  return hashToken(ticket);
}

/**
 * Charges an attempt. Unknown browsers have their own limit, so they cannot use up attempts of the owner's browsers.
 */
async function spendTry(
  { limiter, metrics }: Dependencies,
  { userId, known, askerHash }: SecondFactorTicket,
): Promise<void> {
  try {
    if (known) {
      await limiter.consume('secondFactorTriesPerKnownBrowser', `${userId}:${askerHash.toString('base64url')}`);
    } else await limiter.consume('secondFactorTriesPerAccount', userId);
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
    metrics.secondFactor.inc({ event: 'limited' });
    const { retryAfterMs = dayMs } = error;
    throw createIdentityError(
      'rate_limited',
      'second_factor_limited',
      'Too many wrong codes for this account. Use a recovery code, or try again later.',
      { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) },
      { retryAfterMs },
    );
  }
}

export function passSecondFactor(dependencies: Dependencies): RpcHandler<Rpc['passSecondFactor']> {
  const { clock, factorTickets, metrics } = dependencies;
  return async (request) => {
    const ticket = readTicket(request.ticket);
    const tried = await factorTickets.countTry(ticket, clock.now());
    if (tried.outcome === 'none') throw ticketInvalid();
    if (tried.outcome !== 'counted') throw spent();
    const code = normalizeCode(request.code ?? '');
    if (isOneTimePassword(code)) await spendTry(dependencies, tried);
    const begun = createSessionWithToken(dependencies, tried.byMail ? 'mail' : 'phone', request.device, null);
    const passed = await factorTickets.pass(ticket, code, begun.session);
    if (passed.outcome === 'none') throw ticketInvalid();
    if (passed.outcome === 'wrong') {
      metrics.secondFactor.inc({ event: 'wrong' });
      const triesLeft = limits.secondFactorTriesPerTicket - tried.triesUsed;
      if (triesLeft <= 0) throw spent();
      throw createIdentityError('invalid', 'second_factor_wrong', 'That code is wrong.', { triesLeft });
    }
    metrics.secondFactor.inc({ event: 'passed' });
    return completeSignIn(dependencies, begun, passed);
  };
}

/** Returns when access opens for a wait that starts now. */
function waitFrom(now: Date, userAgent: string): AccountRecoveryWait {
  const opensAt = new Date(now.getTime() + limits.accountWaitDays * dayMs);
  const endsAt = new Date(opensAt.getTime() + limits.accountWaitOpenDays * dayMs);
  return { askedAt: now, opensAt, endsAt, userAgent };
}

export function askForAccount({
  clock,
  factorTickets,
  limiter,
  metrics,
}: Dependencies): RpcHandler<Rpc['askForAccount']> {
  return async (request) => {
    const ticket = readTicket(request.ticket);
    const now = clock.now();
    const ticketState = await factorTickets.waitOf(ticket, now);
    if (!ticketState) throw ticketInvalid();
    if (ticketState.wait) return ticketState.wait;
    await limiter.consume('accountWaitsPerAccount', ticketState.userId).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      const message = 'Too many requests to recover this account without its second factor. Try again tomorrow.';
      const { retryAfterMs = dayMs } = error;
      throw createIdentityError('rate_limited', 'account_wait_limited', message, undefined, { retryAfterMs });
    });
    const wait = await factorTickets.startAccountWait(ticket, waitFrom(now, readUserAgent(request.device)));
    if (!wait) throw ticketInvalid();
    metrics.secondFactor.inc({ event: 'wait_asked' });
    return wait;
  };
}
