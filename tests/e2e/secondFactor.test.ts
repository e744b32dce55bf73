import { limits } from '@nolo/rules';
import { computeOneTimePassword, randomPhone, signUpByPhone } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enFactor, enSecondStep, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

const stepMs = 30_000;

story(
  'two-step verification requires the app or a recovery code, and I can refuse someone who has neither',
  async () => {
    const phone = randomPhone();
    const ada = await signUpByPhone(url(), phone, 'Ada Lovelace');
    const own = await openPage({ as: ada, path: '/settings/devices' });
    await own.page.getByRole('button', { name: enFactor.setUp }).click();
    const form = own.page.getByRole('dialog', { name: enFactor.setUpTitle });
    await waitUntilVisible(form.getByRole('img', { name: enFactor.picture }));
    const secret = (await form.getByRole('group', { name: enFactor.secret }).locator('code').innerText()).replaceAll(
      ' ',
      '',
    );
    // Uses the previous code, so that a later code in the same half minute is not a reuse.
    await form.getByLabel(enFactor.code).fill(computeOneTimePassword(secret, new Date(Date.now() - stepMs)));
    await form.getByRole('button', { name: enFactor.turnOn }).click();
    const shown = own.page.getByRole('alertdialog', { name: enFactor.codesTitle });
    await waitUntilVisible(shown.getByRole('listitem').first());
    const codes = await shown.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(limits.recoveryCodes);
    await shown.getByRole('checkbox', { name: enFactor.kept }).check();
    await shown.getByRole('button', { name: enFactor.done }).click();
    const left = (count: number) => own.page.getByText(fillPlaceholders(enFactor.codesLeft_other, { count }));
    await waitUntilVisible(left(limits.recoveryCodes));

    const other = await openPage({ path: '/', device: 'phone' });
    await (await new LandingPage(other.page).startWithPhone()).signIn(phone);
    await waitUntilVisible(other.page.getByRole('heading', { name: enSecondStep.title }));
    await other.page.getByRole('button', { name: enSecondStep.none }).click();
    await other.page.getByRole('button', { name: enSecondStep.ask }).click();
    await waitUntilVisible(other.page.getByRole('heading', { name: enSecondStep.waitingTitle.split('{{')[0] ?? '' }));
    await own.page.getByRole('button', { name: en.security.review }).click();
    const review = own.page.getByRole('dialog', { name: en.security.reviewTitle });
    await review.getByRole('button', { name: en.security.refuse }).click();
    await new Toasts(own.page).expectShown(enFactor.refused);
    // The dialog closes, because no other question is open.
    await waitUntilHidden(review);

    await other.page.getByRole('main').getByRole('button', { name: en.common.back }).last().click();
    await other.page.getByLabel(enSecondStep.appCode).fill(computeOneTimePassword(secret, new Date()));
    await waitUntilVisible(new ChatsPage(other.page).emptyTitle);

    const third = await openPage({ path: '/' });
    await (await new LandingPage(third.page).startWithPhone()).signIn(phone);
    await third.page.getByRole('button', { name: enSecondStep.useRecovery }).click();
    await third.page.getByLabel(enSecondStep.recoveryCode, { exact: true }).fill(codes[0] ?? '');
    await third.page.getByRole('button', { name: enSecondStep.submit }).click();
    await waitUntilVisible(new ChatsPage(third.page).emptyTitle);
    await waitUntilVisible(left(limits.recoveryCodes - 1));
  },
);
