import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BulletinServiceService, type Bulletin } from '@nolo/proto/bulletins';
import { MailInvitationServiceService } from '@nolo/proto/mailInvitations';
import { OperatorServiceService } from '@nolo/proto/operators';
import { SettingServiceService, type Setting } from '@nolo/proto/settings';

const refuse = () => Promise.reject(fail('forbidden', 'not_operator', 'Only operators may do this.'));

/** What they tell everybody: what a test has them tell. */
export function memoryBulletins() {
  let told: Bulletin[] = [];
  const service = rpcService(BulletinServiceService, {
    listCurrentBulletins: async () => ({ bulletins: told }),
    listBulletins: refuse,
    makeBulletin: refuse,
    endBulletin: refuse,
  });
  return { service, tell: (bulletins: Bulletin[]) => void (told = bulletins) };
}

/** The hosts that they bar: what a test has them bar. */
export function memoryBarredHosts() {
  let [version, barred]: [number, string[]] = [1, []];
  const service = rpcService(BarredHostServiceService, {
    listCurrentBarredHosts: async ({ knownVersion }) => {
      const now = `version ${version}`;
      return { version: now, hosts: knownVersion === now ? [] : barred };
    },
    listBarredHosts: refuse,
    barHosts: refuse,
    unbarHost: refuse,
  });
  return { service, bar: (hosts: string[]) => void ([version, barred] = [version + 1, hosts]) };
}

/** Whom they invite by mail, as far as the gateway can tell: nobody is an operator. */
export const memoryMailInvitations = () =>
  rpcService(MailInvitationServiceService, {
    listMailInvitations: refuse,
    inviteByMail: refuse,
    withdrawMailInvitation: refuse,
  });

/** What they set while the installation runs: what a test has them set. */
export function memorySettings() {
  let set: Setting[] = [];
  const service = rpcService(SettingServiceService, {
    listCurrentSettings: async () => ({ settings: set }),
    listSettings: refuse,
    changeSetting: refuse,
  });
  return { service, set: (settings: Setting[]) => void (set = settings) };
}

/** The part of identity that knows operators, as far as the gateway can tell: nobody is one. */
export function memoryOperators() {
  return rpcService(OperatorServiceService, {
    checkOperator: refuse,
    findAccounts: refuse,
    suspendAccount: refuse,
    liftSuspension: refuse,
    signOutAccount: refuse,
    eraseAccount: refuse,
    reopenAccount: refuse,
    listActs: refuse,
    recordAct: refuse,
    verifyActs: refuse,
  });
}
