import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BulletinServiceService, type Bulletin } from '@nolo/proto/bulletins';
import { SettingServiceService, type Setting } from '@nolo/proto/settings';
import { createAppError } from '@nolo/kit/errors';
import { fakeService } from './fakeService.ts';

const away = () => createAppError('unavailable', 'service_unavailable', 'The service is unavailable.');

/** Fakes operator announcements; tests set them. */
export function memoryAnnouncements() {
  let currentAnnouncements: Bulletin[] = [];
  const service = fakeService(BulletinServiceService, {
    listCurrentBulletins: async () => ({ bulletins: currentAnnouncements }),
  });
  return { service, setAnnouncements: (bulletins: Bulletin[]) => void (currentAnnouncements = bulletins) };
}

/** Fakes hosts barred by operators; tests set them. */
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

/** Fakes operators' runtime settings; tests set them. */
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
