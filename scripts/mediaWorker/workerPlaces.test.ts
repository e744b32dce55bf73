import { getBuiltWorkerFolderName, getPrebuiltWorkerName } from './workerPlaces.ts';

describe('the folder of a built worker', () => {
  const here = { system: 'debian12-x64', recipe: 'abc' };
  const name = getBuiltWorkerFolderName('3.27.1', here);

  it('names the version', () => {
    expect(name).toMatch(/^mediasoup-worker-3\.27\.1-[0-9a-f]{12}$/);
    expect(getBuiltWorkerFolderName('3.27.1', { ...here })).toBe(name);
  });

  it.each([
    ['another version', '3.28.0', here],
    ['another system', '3.27.1', { ...here, system: 'debian13-x64' }],
    ['another architecture', '3.27.1', { ...here, system: 'debian12-arm64' }],
    ['another recipe', '3.27.1', { ...here, recipe: 'abd' }],
  ])('differs for %s', (_what, version, surroundings) => {
    expect(getBuiltWorkerFolderName(version, surroundings)).not.toBe(name);
  });
});

describe('the name of the prebuilt worker', () => {
  it('is the one that mediasoup uses', () => {
    expect(getPrebuiltWorkerName('3.27.1', 'linux', 'x64', '6.1.0-25-amd64')).toBe(
      'mediasoup-worker-3.27.1-linux-x64-kernel6',
    );
    expect(getPrebuiltWorkerName('3.27.1', 'darwin', 'arm64', '23.5.0')).toBe('mediasoup-worker-3.27.1-darwin-arm64');
  });
});
