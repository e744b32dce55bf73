import type { BillingAuditRecord } from '@nolo/api';
import { createAuditFile } from './auditFile.ts';

const record = (overrides: Partial<BillingAuditRecord>): BillingAuditRecord => ({
  id: '0190a5f4-7d3e-7000-8000-000000000001',
  operatorId: '0190a5f4-7d3e-7000-8000-000000000002',
  action: 'GrantPlan',
  subject: null,
  details: {},
  at: '2026-11-24T08:00:00.000Z',
  allowed: true,
  ...overrides,
});

test('records are CSV rows, quoted where necessary', async () => {
  const file = createAuditFile([record({ details: { reason: 'a "gift", late' } })], 'csv');
  const [head, row, end] = (await file.text()).split('\r\n');
  expect(head).toBe('at,operatorId,action,subject,allowed,details,id');
  expect(row).toBe(
    '2026-11-24T08:00:00.000Z,0190a5f4-7d3e-7000-8000-000000000002,GrantPlan,,true,' +
      '"{""reason"":""a \\""gift\\"", late""}",0190a5f4-7d3e-7000-8000-000000000001',
  );
  expect(end).toBe('');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('%j is text to a spreadsheet, not a formula', async (subject) => {
  const [, row] = (await createAuditFile([record({ subject })], 'csv').text()).split('\r\n');
  expect(row).toContain(`,'${subject},`);
});

test('the JSON file is what the server answers', async () => {
  const records = [record({ subject: '=1+1' })];
  expect(JSON.parse(await createAuditFile(records, 'json').text())).toEqual(records);
});
