import { renderChangelogSection, maxSectionLines, readChanges, insertChangelogSection } from '../release/changes.ts';
import { versionsIn, replaceVersion } from '../release/versions.ts';
import { readTrackedFiles } from './trackedFiles.ts';

test('every file in changes/ can be released', async () => {
  const files = (await readTrackedFiles()).filter(({ path }) => /^changes\/(?!README).*\.md$/.test(path));
  const changes = readChanges(files);
  if (changes.length > 0)
    expect(renderChangelogSection('9.9.9', '2030-01-01', changes)).toContain('## [9.9.9] - 2030-01-01');
});

test('a section groups changes by kind, upgrade steps first', () => {
  const changes = readChanges([
    { path: 'changes/a.md', text: '- Fixed: One.\n- Upgrade: Set `X`.\n' },
    { path: 'changes/b.md', text: '- Fixed: Two.\n' },
  ]);
  expect(renderChangelogSection('1.2.3', '2026-11-30', changes)).toBe(
    '## [1.2.3] - 2026-11-30\n\n### Upgrade\n\n- Set `X`.\n\n### Fixed\n\n- One.\n- Two.',
  );
});

test('a change without a kind is reported with its line', () => {
  expect(() => readChanges([{ path: 'changes/a.md', text: '- Fixed: One.\nsomething' }])).toThrow('changes/a.md:2');
});

test('an overlong section is rejected', () => {
  const changes = Array.from({ length: maxSectionLines }, () => ({ kind: 'Fixed' as const, text: 'One.' }));
  expect(() => renderChangelogSection('1.2.3', '2026-11-30', changes)).toThrow('shorten it');
});

test('the newest section comes first', () => {
  const once = insertChangelogSection('# Changelog\n\nIntroduction.\n', '## [1.0.0] - 2026-01-01');
  expect(insertChangelogSection(once, '## [1.1.0] - 2026-02-01')).toBe(
    '# Changelog\n\nIntroduction.\n\n## [1.1.0] - 2026-02-01\n\n## [1.0.0] - 2026-01-01\n',
  );
});

test('every place names the same version, and a release changes all of them', async () => {
  const files = await readTrackedFiles();
  const versions = files.flatMap(({ path, text }) => versionsIn(path, text));
  expect(versions.length).toBeGreaterThan(30);
  expect(new Set(versions).size).toBe(1);
  const released = files.flatMap(({ path, text }) => versionsIn(path, replaceVersion(path, text, '77.0.1')));
  expect(new Set(released)).toEqual(new Set(['77.0.1']));
});
