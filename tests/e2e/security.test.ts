import { randomPhone, signInByPhone, signUpByPhone, TestApi } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Toasts } from './pages/Toasts.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { plugInAuthenticator } from './support/passkeys.ts';
import { expireProof } from './support/proof.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enDeveloper, enPasskeys, enReplaced, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Records whether the page asks the browser's authenticators. Returns a function that reads it. */
async function recordCredentialRequests(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(`{
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = (options) => {
      const answer = get(options);
      globalThis.hasAsked = true;
      return answer;
    };
  }`);
  return () => page.evaluate<boolean>('globalThis.hasAsked === true');
}

story('someone with another of my devices proves it to change the number, and I take it back', async () => {
  const phone = randomPhone();
  const next = randomPhone();
  const stolen = await signUpByPhone(url(), phone, 'Ada Lovelace');
  await expireProof(stolen.id);
  const theirs = await openPage({ as: stolen, device: 'phone', path: '/profile' });
  const mine = await openPage({ as: await signInByPhone(url(), phone), path: '/profile' });

  const form = new PhoneSignInPage(theirs.page);
  const dialog = theirs.page.getByRole('dialog');
  await theirs.page.getByRole('button', { name: en.security.changeNumber, exact: true }).click();
  await dialog.getByRole('button', { name: fillPlaceholders(en.security.proofSend, { number: phone }) }).click();
  await form.code.fill(await form.demoCode());
  await waitUntilVisible(theirs.page.getByRole('dialog', { name: en.security.changeTitle }));
  await form.requestCode(next);
  await form.code.fill(await form.demoCode());
  await new Toasts(theirs.page).expectShown(en.profile.phoneLinked);
  await waitUntilVisible(new ProfilePage(theirs.page).linkedNumber(next));

  // The other device is notified immediately, and reports that it was someone else.
  await mine.page.getByRole('button', { name: en.security.review }).click();
  const notice = mine.page.getByRole('dialog', { name: en.security.reviewTitle }).getByRole('listitem');
  await waitUntilVisible(notice.filter({ hasText: next }));
  await notice.filter({ hasText: next }).getByRole('button', { name: en.security.wasNotMe }).click();
  await mine.page.getByRole('alertdialog').getByRole('button', { name: en.security.undo }).click();
  await new Toasts(mine.page).expectShown(en.security.undoDone, en.security.undoDoneText);
  await waitUntilVisible(new ProfilePage(mine.page).linkedNumber(phone));
  await waitUntilHidden(mine.page.getByRole('button', { name: en.security.review }));
  await waitForExpectation(async () => expect((await stolen.api.get('/api/auth/user')).status).toBe(401));
});

story('the holder of the replaced number takes the account back with it', async () => {
  const phone = randomPhone();
  const next = randomPhone();
  const ada = await signUpByPhone(url(), phone, 'Ada Lovelace');
  const { body: config } = await ada.api.get<{ demoCode: string }>('/api/config');
  const codeRequest = { type: 'sms', phoneNumber: next };
  expect((await ada.api.post('/api/verification/send', codeRequest)).status).toBe(200);
  const linked = { ...codeRequest, code: config.demoCode, link: true };
  expect((await ada.api.post('/api/verification/verify', linked)).status).toBe(200);

  const visitor = await openPage({ path: '/' });
  await (await new LandingPage(visitor.page).startWithPhone()).signIn(phone);
  await waitUntilVisible(visitor.page.getByRole('heading', { name: enReplaced.title }));
  await visitor.page.getByRole('button', { name: enReplaced.takeBack }).click();
  await waitUntilVisible(new ChatsPage(visitor.page).emptyTitle);
  await visitor.go('/profile');
  await waitUntilVisible(visitor.page.getByRole('heading', { name: 'Ada Lovelace' }));
  await waitUntilVisible(new ProfilePage(visitor.page).linkedNumber(phone));
  expect((await ada.api.get('/api/auth/user')).status).toBe(401);
});

story('I add a passkey, sign in with it without my phone, and use it for fresh proof', async () => {
  const ada = await signUpByPhone(url(), randomPhone(), 'Ada Lovelace');
  const { page, context } = await openPage({ as: ada, path: '/settings/account' });
  const setUserConsent = await plugInAuthenticator(context, page);
  await page.getByRole('button', { name: en.profile.addPasskey }).click();
  const form = page.getByRole('dialog', { name: enPasskeys.add });
  await form.getByLabel(enPasskeys.name).fill('Laptop');
  await form.getByRole('button', { name: enPasskeys.create }).click();
  await new Toasts(page).expectShown(enPasskeys.added, enPasskeys.addedText);
  await waitUntilVisible(
    page.getByRole('listitem').filter({ hasText: 'Laptop' }).getByText(en.profile.passkeyUnused, { exact: false }),
  );

  // The form asks immediately, for the browser's autofill; here the button is pressed instead.
  await setUserConsent(false);
  const profile = new ProfilePage(page);
  await profile.logout.click();
  await profile.confirm().click();
  const landing = new LandingPage(page);
  await waitUntilVisible(landing.headline);
  const codeRequest = await recordCredentialRequests(page);
  await landing.startWithPhone();
  await waitForExpectation(async () => expect(await codeRequest()).toBe(true));
  // The earlier request stays unanswered; later ones are answered.
  await setUserConsent(true);
  await page.getByRole('button', { name: enPasskeys.use }).click();
  await waitUntilVisible(new ChatsPage(page).emptyTitle);

  await page.goto(`${url()}/settings/account`);
  await expireProof(ada.id);
  await page.getByRole('button', { name: fillPlaceholders(en.security.unlinkNamed, { name: ada.phone }) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: en.security.unlink }).click();
  await page.getByRole('button', { name: enPasskeys.confirm }).click();
  await new Toasts(page).expectShown(en.security.unlinked);
  await waitUntilVisible(
    page.getByRole('listitem').filter({ hasText: 'Laptop' }).getByText(en.security.onlyWay, { exact: false }),
  );
});

story('I add an email address, and get back in with it without my number', async () => {
  const ada = await signUpByPhone(url(), randomPhone(), 'Ada Lovelace');
  const address = `ada-${randomPhone().slice(1)}@example.org`;
  const bring = async (page: Page) => {
    const form = new PhoneSignInPage(page);
    await page.getByRole('textbox', { name: en.phoneForm.mailLabel }).fill(address);
    await page.getByRole('button', { name: en.auth.continue }).click();
    await form.code.fill(await form.demoCode());
  };
  const { page } = await openPage({ as: ada, path: '/settings/account' });
  await page.getByRole('button', { name: en.profile.addMail }).click();
  await bring(page);
  await new Toasts(page).expectShown(en.profile.mailLinked);
  await waitUntilVisible(page.getByRole('listitem').filter({ hasText: address }));

  const other = await openPage({ path: '/', device: 'phone' });
  await new LandingPage(other.page).startWithPhone();
  await other.page.getByRole('button', { name: en.phoneForm.useMail }).click();
  await bring(other.page);
  await waitUntilVisible(new ChatsPage(other.page).emptyTitle);
});

story('a program uses the API with a token that I created with proof, until I revoke it', async () => {
  const ada = await signUpByPhone(url(), randomPhone(), 'Ada Lovelace');
  await expireProof(ada.id);
  const { page } = await openPage({ as: ada, path: '/profile' });
  await page.getByRole('link', { name: en.profile.apiAccessOpen }).click();
  await page.getByRole('button', { name: enDeveloper.create }).click();
  const form = page.getByRole('dialog', { name: enDeveloper.form.title });
  await form.getByLabel(enDeveloper.form.name).fill('Nightly export');
  const what = enDeveloper.groups.profile;
  await form.getByRole('checkbox', { name: fillPlaceholders(enDeveloper.form.readOf, { what }) }).check();
  await form.getByRole('button', { name: enDeveloper.form.submit }).click();
  const phone = new PhoneSignInPage(page);
  await page.getByRole('button', { name: fillPlaceholders(en.security.proofSend, { number: ada.phone }) }).click();
  await phone.code.fill(await phone.demoCode());

  const shown = page.getByRole('alertdialog', { name: enDeveloper.secret.title });
  const secret = await shown.getByRole('textbox', { name: enDeveloper.secret.label }).inputValue();
  await shown.getByRole('button', { name: enDeveloper.secret.done }).click();
  const getWithToken = (path: string) => new TestApi(url(), secret).get(path);
  expect((await getWithToken('/api/auth/user')).body.id).toBe(ada.id);
  expect((await getWithToken('/api/contacts')).body).toMatchObject({ code: 'insufficient_scope' });

  const row = page.getByRole('listitem').filter({ hasText: 'Nightly export' });
  await waitUntilVisible(row.getByText('profile:read'));
  await row.getByRole('button', { name: fillPlaceholders(enDeveloper.revoke, { name: 'Nightly export' }) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: enDeveloper.revokeConfirm }).click();
  await waitUntilVisible(page.getByRole('heading', { name: enDeveloper.empty }));
  expect((await getWithToken('/api/auth/user')).status).toBe(401);
});
