import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BulletinServiceService, type Bulletin } from '@nolo/proto/bulletins';
import { SettingServiceService, type Setting } from '@nolo/proto/settings';
import { fail } from '@nolo/kit/errors';
import { fakeService } from './fakeService.ts';

const away = () => fail('unavailable', 'service_unavailable', 'Nobody is there.');

/** What they tell everybody: what a test has them tell. */
export function memoryBulletins() {
  let told: Bulletin[] = [];
  const service = fakeService(BulletinServiceService, {
    listCurrentBulletins: async () => ({ bulletins: told }),
  });
  return { service, tell: (bulletins: Bulletin[]) => void (told = bulletins) };
}

/** The hosts that they bar: what a test has them bar. */
export function memoryBarredHosts() {
  let [version, barred]: [number, string[]] = [1, []];
  let isAway = false;
  const service = fakeService(BarredHostServiceService, {
    listCurrentBarredHosts: async ({ knownVersion }) => {
      if (isAway) throw away();
      const now = `version ${version}`;
      return { version: now, hosts: knownVersion === now ? [] : barred };
    },
  });
  return {
    service,
    bar: (hosts: string[]) => void ([version, barred] = [version + 1, hosts]),
    setAway: (now: boolean) => void (isAway = now),
  };
}

/** What they set while the installation runs: what a test has them set. */
export function memorySettings() {
  let set: Setting[] = [];
  let isAway = false;
  const service = fakeService(SettingServiceService, {
    listCurrentSettings: async () => {
      if (isAway) throw away();
      return { settings: set };
    },
  });
  return {
    service,
    set: (settings: Setting[]) => void (set = settings),
    setAway: (now: boolean) => void (isAway = now),
  };
}
