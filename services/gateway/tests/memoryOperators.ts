import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BulletinServiceService, type Bulletin } from '@nolo/proto/bulletins';
import { SettingServiceService, type Setting } from '@nolo/proto/settings';
import { fakeService } from './fakeService.ts';

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
  const service = fakeService(BarredHostServiceService, {
    listCurrentBarredHosts: async ({ knownVersion }) => {
      const now = `version ${version}`;
      return { version: now, hosts: knownVersion === now ? [] : barred };
    },
  });
  return { service, bar: (hosts: string[]) => void ([version, barred] = [version + 1, hosts]) };
}

/** What they set while the installation runs: what a test has them set. */
export function memorySettings() {
  let set: Setting[] = [];
  const service = fakeService(SettingServiceService, {
    listCurrentSettings: async () => ({ settings: set }),
  });
  return { service, set: (settings: Setting[]) => void (set = settings) };
}
