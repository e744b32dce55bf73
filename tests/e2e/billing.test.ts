import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Billing } from '@nolo/api';
import type { Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { befriend, createCastMember, type CastMember } from './support/cast.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enAdmin, enBilling, enBillingAdmin, enReport, enSocial, fillPlaceholders } from './support/words.ts';
import { projectRoot } from '../../scripts/paths.ts';
import { createServiceEnv } from '../../scripts/serviceEnv.ts';
import { connectByWindow, simulatedBlueskyAppPassword } from '../support/clients/socialPlatforms.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';

/** The shared Nolo has no plans, so that no story meets a limit there. */
let own: TestStack | undefined;
const { story, openPage, url } = setUpJourney(() => own?.urls[0] ?? '');
beforeAll(async () => {
  own = await startTestStack({ billing: true, social: true });
});
afterAll(async () => {
  await own?.stop();
});

const southAfrica = 'Africa/Johannesburg';
const berlin = 'Europe/Berlin';
const { plus, business } = enBilling.plans;

/** Makes a user an operator as the installation's owner does, while the services keep running. */
async function letIn(userId: string): Promise<void> {
  const { stack, name } = own!;
  const env = { ...createServiceEnv('identity', stack.around, { metricsPort: 0 }), REDIS_PREFIX: name };
  const command = ['--no-warnings', join(projectRoot, 'services/identity/src/admin.ts'), 'operators', 'add', userId];
  await promisify(execFile)(process.execPath, command, { env });
}

const planOf = async ({ user }: CastMember): Promise<Billing> => (await user.api.get<Billing>('/api/billing')).body;

/** Goes from the profile to the gateway's page. */
async function leaveToPay(page: Page, plan: string, gateway: string, seats?: number): Promise<void> {
  await page.getByRole('button', { name: fillPlaceholders(enBilling.upgradeTo, { plan }) }).click();
  const dialog = page.getByRole('dialog', { name: fillPlaceholders(enBilling.pay.titlePlan, { name: plan }) });
  if (seats !== undefined) await dialog.getByLabel(enBilling.pay.seats).fill(String(seats));
  await waitUntilVisible(dialog.getByText(enBilling.pay.taxes));
  await dialog.getByRole('button', { name: fillPlaceholders(enBilling.pay.payWith, { gateway }) }).click();
  await waitUntilVisible(page.getByRole('heading', { name: gateway, exact: true }));
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

story(
  'rand are paid through PayFast: the plan starts once the gateway confirms, with a receipt to download',
  async () => {
    const ada = await createCastMember(url(), 'Ada Adams');
    const { page } = await openPage({ as: ada.user, path: '/profile', timezoneId: southAfrica });
    await waitUntilVisible(page.getByRole('heading', { name: enBilling.upgradeYourPlan }));
    expect(await findSeriousAxeIssues(page, 'the plans', 'light')).toEqual([]);
    expect(await findSeriousAxeIssues(page, 'the plans', 'dark')).toEqual([]);
    await leaveToPay(page, plus, 'PayFast');
    await press(page, 'Pay');
    await waitUntilVisible(page.getByText(fillPlaceholders(enBilling.success.paidPlan, { name: plus })));
    expect(await findSeriousAxeIssues(page, 'a payment that came', 'light')).toEqual([]);
    expect(await planOf(ada)).toMatchObject({ plan: 'plus', status: 'active', source: 'own' });

    await page.getByRole('link', { name: enBilling.success.toPlan }).click();
    await waitUntilVisible(page.getByText(/You won’t be charged automatically/));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /as PDF$/ }).click();
    expect((await download).suggestedFilename()).toMatch(/^receipt-.+\.pdf$/);

    // A canceled plan runs until its end and can be resumed.
    await page
      .getByRole('button', { name: fillPlaceholders(enBilling.downgradeTo, { plan: enBilling.plans.free }) })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: enBilling.cancelPlan }).click();
    await waitUntilVisible(page.getByText(/After that, you’ll be on Free/));
    expect(await planOf(ada)).toMatchObject({ plan: 'plus', status: 'ending' });
    await press(page, fillPlaceholders(enBilling.resume, { plan: plus }));
    await waitUntilVisible(page.getByText(/You won’t be charged automatically/));
  },
);

story('a limit is lifted in place, and the work in progress is still there', async () => {
  const ada = await createCastMember(url(), 'Ada Adams');
  const handle = { handle: 'example.bsky.social', appPassword: simulatedBlueskyAppPassword };
  expect((await ada.user.api.post('/api/social/connect/bluesky', handle)).status).toBe(200);
  const { page, context } = await openPage({ as: ada.user, path: '/schedule', timezoneId: southAfrica });
  await page.getByRole('button', { name: enSocial.schedulePost }).first().click();
  const compose = page.getByRole('dialog', { name: enSocial.compose.newTitle });
  await compose.getByRole('textbox', { name: enSocial.compose.content }).fill('Half a sentence');
  // The Free plan includes one platform; this would be the second.
  await compose
    .getByRole('button', { name: /Mastodon/ })
    .first()
    .click();
  const limit = page.getByRole('dialog', { name: enBilling.limit.title });
  await waitUntilVisible(limit.getByText(fillPlaceholders(enBilling.limit.platforms_one, { count: 1 })));
  expect(await findSeriousAxeIssues(page, 'a limit', 'light')).toEqual([]);
  await limit.getByRole('button', { name: fillPlaceholders(enBilling.upgradeTo, { plan: plus }) }).click();
  const opened = context.waitForEvent('page');
  await press(page, fillPlaceholders(enBilling.pay.payWith, { gateway: 'PayFast' }));
  const paymentPage = await opened;
  await press(paymentPage, 'Pay');
  await waitUntilVisible(page.getByText(fillPlaceholders(enBilling.limit.done, { name: plus })));
  await press(page, enBilling.success.goOn);
  await waitUntilVisible(compose);
  expect(await compose.getByRole('textbox', { name: enSocial.compose.content }).inputValue()).toBe('Half a sentence');
  expect((await connectByWindow(ada.user.api, 'mastodon')).get('outcome')).toBe('connected');
});

story('Business is bought for two, and an invited person has it until the seat is taken back', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  await befriend(ada, ben);
  const { page } = await openPage({ as: ada.user, path: '/profile', timezoneId: southAfrica });
  await leaveToPay(page, business, 'PayFast', 2);
  await press(page, 'Pay');
  await page.getByRole('link', { name: enBilling.team, exact: true }).click();
  await waitUntilVisible(page.getByText(fillPlaceholders(enBilling.teamPage.seatsUsed, { taken: 1, count: 2 })));
  await press(page, enBilling.teamPage.invite);
  const dialog = page.getByRole('dialog', { name: enBilling.teamPage.inviteTitle });
  await dialog.getByRole('checkbox', { name: /Ben Botha/ }).check();
  await dialog.getByRole('button', { name: enBilling.teamPage.invite, exact: true }).click();
  await waitUntilVisible(page.getByText(enBilling.teamPage.states.invited));
  expect(await findSeriousAxeIssues(page, 'a team', 'light')).toEqual([]);

  const bens = await openPage({ as: ben.user, path: '/settings/plan', device: 'phone' });
  await bens.page.getByRole('link', { name: enBilling.seatOffered }).click();
  await waitUntilVisible(bens.page.getByText(fillPlaceholders(enBilling.teamPage.invitation, { name: 'Ada Adams' })));
  await press(bens.page, enBilling.teamPage.accept);
  await waitUntilVisible(bens.page.getByText(enBilling.teamPage.accepted));
  expect(await planOf(ben)).toMatchObject({ plan: 'business', source: 'seat' });
  await waitUntilVisible(bens.page.getByText(enBilling.teamPage.seen));

  await page.reload();
  await page.getByRole('button', { name: fillPlaceholders(enBilling.teamPage.menu, { name: 'Ben Botha' }) }).click();
  await page.getByRole('menuitem', { name: enBilling.teamPage.takeBack }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: enBilling.teamPage.takeBack }).click();
  await waitUntilHidden(page.getByText('Ben Botha'));
  await waitForExpectation(async () => expect(await planOf(ben)).toMatchObject({ plan: 'free' }));
});

/** Buys Plus for Ada by PayPal, after she gives up once. */
async function payInEuros(ada: CastMember) {
  const visitor = await openPage({ as: ada.user, path: '/profile', timezoneId: berlin, device: 'phone' });
  const { page } = visitor;
  await leaveToPay(page, plus, 'PayPal');
  await press(page, 'Cancel and return');
  await waitUntilVisible(page.getByText(enBilling.cancelPage.text));
  expect(await findSeriousAxeIssues(page, 'a payment that was cancelled', 'dark')).toEqual([]);
  expect(await planOf(ada)).toMatchObject({ plan: 'free' });
  await press(page, enBilling.cancelPage.again);
  const dialog = page.getByRole('dialog', { name: fillPlaceholders(enBilling.pay.titlePlan, { name: plus }) });
  await dialog.getByRole('button', { name: fillPlaceholders(enBilling.pay.payWith, { gateway: 'PayPal' }) }).click();
  await press(page, 'Pay');
  await waitUntilVisible(page.getByText(fillPlaceholders(enBilling.success.paidPlan, { name: plus })));
  expect(await planOf(ada)).toMatchObject({ plan: 'plus', status: 'active' });
  return visitor;
}

/** Shows what an operator sees of Ada's plan and can do with it. */
async function refundAsOperator(page: Page, ada: CastMember): Promise<void> {
  await page.getByLabel(enBillingAdmin.account).fill(ada.user.id);
  await page.getByRole('button', { name: /^Refund order/ }).click();
  const refund = page.getByRole('alertdialog', { name: enBillingAdmin.refundTitle });
  await refund.getByLabel(enBillingAdmin.reason).fill('She asked for it.');
  await refund.getByRole('button', { name: enBillingAdmin.refund, exact: true }).click();
  await waitUntilVisible(page.getByText(fillPlaceholders(enBilling.refunded, { amount: '€6.00' })));
  expect(await findSeriousAxeIssues(page, 'the billing of an installation', 'light')).toEqual([]);
  await waitForExpectation(async () => expect(await planOf(ada)).toMatchObject({ plan: 'free' }));

  await press(page, enBillingAdmin.give);
  const give = page.getByRole('dialog', { name: enBillingAdmin.giveTitle });
  await give.getByLabel(enBillingAdmin.reason).fill('A sorry week.');
  await give.getByRole('button', { name: enBillingAdmin.give, exact: true }).click();
  await waitUntilHidden(give);
  expect(await planOf(ada)).toMatchObject({ plan: 'plus', source: 'grant' });
  await page.getByRole('radio', { name: enBillingAdmin.view.audit }).click();
  await waitUntilVisible(page.getByText(/^GrantPlan/));
}

/** Ada reports Opal's message, and an operator handles it. */
async function reportAndClose(adas: BrowserUser, ops: BrowserUser, ada: CastMember, opal: CastMember): Promise<void> {
  const spam = 'Gold for half of what it is worth, today only';
  const id = await befriend(ada, opal);
  await ops.go(`/chat/${id}`);
  await new ConversationPage(ops.page, ada.name).sendText(spam);
  await adas.go(`/chat/${id}`);
  const chat = new ConversationPage(adas.page, opal.name);
  await chat.openMenu(spam);
  await chat.choose(en.conversation.report);
  const report = adas.page.getByRole('dialog', {
    name: fillPlaceholders(enReport.titles.message, { name: opal.name }),
  });
  await waitUntilVisible(report.getByRole('checkbox', { name: spam, checked: true }));
  await report.getByRole('button', { name: enReport.send, exact: true }).click();
  await waitUntilHidden(report);

  await ops.go('/admin/reports');
  await waitUntilVisible(ops.page.getByText(spam));
  expect(await findSeriousAxeIssues(ops.page, 'reports', 'light')).toEqual([]);
  await press(ops.page, enAdmin.goOn.closed);
  const close = ops.page.getByRole('dialog', { name: enAdmin.goOn.closed });
  await close.getByLabel(enAdmin.note).fill('Talked with them.');
  await close.getByRole('button', { name: enAdmin.goOn.closed, exact: true }).click();
  await waitUntilHidden(close, ops.page.getByText(spam));
}

/** Runs in this file because this Nolo can make users operators. */
story('euros are paid through PayPal; an operator refunds, announces, manages billing and suspends', async () => {
  const [ada, ops] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Opal Osei')]);
  const adas = await payInEuros(ada);
  const opals = await openPage({ as: ops.user, path: '/admin/billing' });
  const { page, go } = opals;
  await waitUntilVisible(page.getByText(ops.user.id));
  await letIn(ops.user.id);
  await page.reload();
  await refundAsOperator(page, ada);
  await adas.go('/profile');
  await waitUntilVisible(adas.page.getByText(enBilling.orderStates.refunded));

  await reportAndClose(adas, opals, ada, ops);
  await go('/admin/announcements');
  await page.getByLabel(enAdmin.inEnglish).fill('On Sunday at six Nolo is away for a while.');
  await press(page, enAdmin.announce);
  const banner = adas.page.getByRole('status').filter({ hasText: 'On Sunday at six' });
  await waitUntilVisible(banner);
  await banner.getByRole('button', { name: en.common.dismiss }).click();
  await waitUntilHidden(banner);
  await press(page, enAdmin.endAnnouncement);
  await waitUntilVisible(page.getByText(enAdmin.isOver, { exact: true }));
  for (const [path, text] of [
    ['announcements', enAdmin.announceTitle],
    ['state', enAdmin.partsText],
    ['jobs', enAdmin.jobsText],
    ['rooms', enAdmin.noRooms],
  ] as const) {
    await go(`/admin/${path}`);
    await waitUntilVisible(page.getByText(text));
    expect(await findSeriousAxeIssues(page, path, 'light')).toEqual([]);
  }

  await go('/admin');
  await page.getByLabel(enAdmin.find).fill(ada.user.phone);
  await press(page, enAdmin.findButton);
  await press(page, enAdmin.suspend);
  const dialog = page.getByRole('alertdialog', { name: fillPlaceholders(enAdmin.suspendTitle, { name: ada.name }) });
  await dialog.getByLabel(enAdmin.reason).fill('Sends advertisements.');
  await dialog.getByRole('button', { name: enAdmin.suspend }).click();
  await waitUntilVisible(adas.page.getByText(en.errors.suspended.text));
  await waitUntilVisible(page.getByText(/Sends advertisements\.$/));
  await page.getByRole('link', { name: enAdmin.history }).click();
  await waitUntilVisible(page.getByText(enAdmin.actions.account_suspended));
  await press(page, enAdmin.verify);
  await waitUntilVisible(page.getByText(/The last hash is [0-9a-f]{64}/));
  for (const theme of ['light', 'dark'] as const) {
    expect(await findSeriousAxeIssues(page, 'the audit of operators', theme)).toEqual([]);
  }
});
