import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@nolo/kit/log';
import { buildGeoIpDatabase } from '../../tests/geoIpDatabase.ts';
import { openGeoIpDatabase } from './geoIpDatabase.ts';

const log = createLog({ service: 'test', level: 'silent' });
const capeTown = {
  country: { iso_code: 'ZA', names: { en: 'South Africa' } },
  city: { names: { de: 'Kapstadt', en: 'Cape Town' } },
};

async function fileOf(networks: Record<string, unknown>): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'places-')), 'places.mmdb');
  await writeFile(file, buildGeoIpDatabase(networks));
  return file;
}

test('an address has a city and country, or only a country, and a private one has neither', async () => {
  const file = await fileOf({
    '196.25.0.0/16': { ...capeTown, location: { latitude: 33 } },
    '2a02:8070:0000/48': { registered_country: { iso_code: 'DE' } },
    '81.2.69.0/24': { country: { iso_code: 'nowhere' } },
    '10.0.0.0/8': capeTown,
    '127.0.0.0/8': capeTown,
  });
  const { placeOf } = await openGeoIpDatabase(file, log);
  expect(placeOf('196.25.7.9')).toEqual({ country: 'ZA', city: 'Cape Town' });
  expect(placeOf('::ffff:196.25.7.9')).toEqual({ country: 'ZA', city: 'Cape Town' });
  for (const address of ['2a02:8070::1', ' 2a02:8070:0:5::/64']) expect(placeOf(address)).toEqual({ country: 'DE' });
  for (const address of ['10.1.2.3', '127.0.0.1', '81.2.69.5', '8.8.8.8', '2606:4700::1', 'nonsense', '']) {
    expect(placeOf(address)).toBeUndefined();
  }
});

test('a changed file is reloaded, and an unreadable one keeps the previous data', async () => {
  const file = await fileOf({ '196.25.0.0/16': capeTown });
  const { placeOf, refresh } = await openGeoIpDatabase(file, log);
  const bring = async (content: Buffer, at: number) => {
    await writeFile(file, content);
    await utimes(file, at, at);
    await refresh();
  };
  await bring(buildGeoIpDatabase({ '196.25.0.0/16': { country: { iso_code: 'NA' } } }), 1_000_000);
  expect(placeOf('196.25.7.9')).toEqual({ country: 'NA' });
  await bring(Buffer.from('no database'), 2_000_000);
  expect(placeOf('196.25.7.9')).toEqual({ country: 'NA' });
});

test('an invalid file is rejected with the name of its variable', async () => {
  await expect(openGeoIpDatabase('/nowhere/places.mmdb', log)).rejects.toThrow(/GEOIP_DATABASE_FILE/);
});
