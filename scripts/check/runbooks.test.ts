import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { anchorsOf } from './links.ts';
import { findRunbookProblems, runbooksOf } from './runbooks.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('takes the comment that starts with "Runbook:" and no other', () => {
  const alerts = `
      - alert: NoloOne
        # Excludes uploads.
        expr: up == 0
        # Runbook:
        # Look at it.
        #
        # - Again.
        annotations:
          summary: One
      - alert: NoloTwo
        expr: up == 1
`;
  expect([...runbooksOf(alerts)]).toEqual([['NoloOne', 'Look at it.\n\n- Again.']]);
});

test('docs/runbooks.md matches the alerts', async () => {
  expect(await findRunbookProblems()).toEqual([]);
});

test('every alert leads to a runbook', () => {
  const urls = [...read('deploy/grafana/alerts.yaml').matchAll(/runbook_url: (.+)/g)].map(([, url = '']) => url);
  const anchors = anchorsOf(read('docs/runbooks.md'));
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.filter((url) => !anchors.has(url.replace('docs/runbooks.md#', '')))).toEqual([]);
});
