import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { AnnouncementServiceDefinition, type Announcement } from '@nolo/proto/announcements';
import { SettingServiceDefinition, type Setting } from '@nolo/proto/settings';
import { createAppError } from '@nolo/kit/errors';
import { fakeService } from './fakeService.ts';

const away = () => createAppError('unavailable', 'service_unavailable', 'The service is unavailable.');

/** Fakes operator announcements; tests set them. */
export function memoryAnnouncements() {
  let currentAnnouncements: Announcement[] = [];
  const service = fakeService(AnnouncementServiceDefinition, {
    listCurrentAnnouncements: async () => ({ announcements: currentAnnouncements }),
  });
  return { service, setAnnouncements: (announcements: Announcement[]) => void (currentAnnouncements = announcements) };
}

/** Fakes hosts barred by operators; tests set them. */
export function memoryBarredHosts() {
  let [version, barred]: [number, string[]] = [1, []];
  let isAway = false;
  const service = fakeService(BarredHostServiceDefinition, {
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
  const service = fakeService(SettingServiceDefinition, {
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
