import { routes } from '@nolo/api';
import { fromUuid, signClaim, toUuid } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { KeyContext } from './context.ts';
import { toText } from './wire.ts';
import { isJoined, refreshOwn, type Work } from './work.ts';

/**
 * Continues as the device in this session, after another sign-in (docs/encryption.md, section 3, Suspension).
 *
 * @throws ApiError if the server cannot be asked
 */
export async function claimIfNeeded(context: KeyContext, work: Work): Promise<void> {
  const { device, reply } = work;
  if (!device || !reply || !isJoined(work)) return;
  const id = toUuid(device.id);
  const described = reply.devices.find((one) => one.id === id);
  if (!described || described.current) return;
  const claim = { account: context.account, device: device.id, session: fromUuid(reply.sessionId) };
  const signature = await signClaim(device.signing, claim);
  try {
    await context.call(routes.claimDevice, { params: { id }, body: { signature: toText(signature) } });
  } catch (error) {
    // The session may have another device: what needs one is then refused by the server.
    if (!(error instanceof ApiError) || error.passing) throw error;
    return;
  }
  await refreshOwn(context, work);
}
