import { Secret } from '@nolo/kit/config';
import { createFakeClock } from '@nolo/testing';
import type { UploadingFile } from '../domain/sharedFiles.ts';
import type { RpcDependencies } from './dependencies.ts';
import { toUploadTarget } from './targets.ts';

test('an upload URL lasts 15 minutes, and a part URL as long as configured', () => {
  const clock = createFakeClock();
  const dependencies = { clock, uploadSecret: new Secret('x'.repeat(32)), partAddressSeconds: 604_800 };
  const secondsOf = (partNumber: number | undefined) => {
    const { expiresAt } = toUploadTarget(
      dependencies as Partial<RpcDependencies> as RpcDependencies,
      { id: 'a', ownerId: 'b' } as UploadingFile,
      partNumber,
      undefined,
    );
    return ((expiresAt?.getTime() ?? 0) - clock.now().getTime()) / 1_000;
  };
  expect([secondsOf(undefined), secondsOf(1)]).toEqual([900, 604_800]);
});
