import { createHash } from 'node:crypto';
import {
  joinSignedParameters,
  isSameSignature,
  signCall,
  signForm,
  signNotification,
  type FormFields,
} from './payfastSignature.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

test('a form is signed as in the tests of PayFast’s own PHP library', () => {
  const fields: FormFields = [
    ['merchant_id', '10028084'],
    ['merchant_key', '4hjoenwbwnuso'],
    ['return_url', 'https://test.com/billing/success'],
    ['cancel_url', 'https://test.com/billing/cancel'],
    ['notify_url', 'https://test.com/payfast/webhook'],
    ['name_first', 'Test'],
    ['name_last', 'Test'],
    ['email_address', 'test@test.com'],
    ['m_payment_id', '5'],
    ['amount', '5.00'],
    ['item_name', 'Test'],
    ['custom_int1', '1'],
    ['custom_int2', '1'],
    ['custom_str1', 'U29tZSBUZXN0IFN0cmluZw'],
    ['custom_str2', 'QW5vdGhlciBUZXN0IFN0cmluZw'],
    ['email_confirmation', '1'],
    ['confirmation_address', 'test@test.test'],
    ['subscription_type', '1'],
    ['billing_date', '2023-01-01'],
    ['recurring_amount', '5'],
    ['frequency', '3'],
    ['cycles', '0'],
  ];
  expect(signForm(fields, 'payfastsandbox')).toBe('3441682c5d8a65486f5b7cc8ce41d146');
  expect(signForm([...fields, ['item_description', '']], 'payfastsandbox')).toBe('3441682c5d8a65486f5b7cc8ce41d146');
});

test('fields are encoded like PHP’s urlencode does', () => {
  const value = "Tea & cake (2): 50% off! it's ~ * / + ü €";
  expect(joinSignedParameters([['item_name', value]])).toBe(
    'item_name=Tea+%26+cake+%282%29%3A+50%25+off%21+it%27s+%7E+%2A+%2F+%2B+%C3%BC+%E2%82%AC',
  );
  expect(joinSignedParameters([['a', 'a-b_c.d']])).toBe('a=a-b_c.d');
});

test('a form of the sandbox merchant has the signature that another implementation computes', () => {
  const fields: FormFields = [
    ['merchant_id', '10000100'],
    ['merchant_key', '46f0cd694581a'],
    ['return_url', 'https://www.example.com/success'],
    ['cancel_url', 'https://www.example.com/cancel'],
    ['notify_url', 'https://www.example.com/notify'],
    ['name_first', 'John'],
    ['name_last', 'Doe'],
    ['email_address', 'john@doe.com'],
    ['m_payment_id', '01AB'],
    ['amount', '100.00'],
    ['item_name', 'Test Item'],
    ['item_description', 'A test product'],
    ['email_confirmation', '1'],
    ['confirmation_address', 'john@doe.com'],
  ];
  expect(signForm(fields, 'jt7NOE43FZPn')).toBe('72d2117334117e8861394dd12d9bd982');
});

test('a notification is signed with its empty fields, a form without them', () => {
  const fields: FormFields = [
    ['m_payment_id', 'SuperUnique1'],
    ['pf_payment_id', '1089250'],
    ['payment_status', 'COMPLETE'],
    ['item_name', 'test+product'],
    ['item_description', ''],
    ['amount_gross', '200.00'],
    ['amount_fee', '-4.60'],
    ['amount_net', '195.40'],
    ['custom_str1', ''],
    ['name_first', ''],
    ['email_address', ''],
    ['merchant_id', '10012577'],
  ];
  expect(signNotification(fields, 'passphrase')).toBe('345b5634f9febed2b4cf7393633deb9a');
  expect(signForm(fields, 'passphrase')).not.toBe(signNotification(fields, 'passphrase'));
});

test('a call is signed in alphabetical order of its names, including the passphrase', () => {
  const fields: FormFields = [
    ['version', 'v1'],
    ['merchant-id', '10000100'],
    ['timestamp', '2020-02-01T12:00:01+02:00'],
    ['from', '2020-01-01'],
  ];
  const text =
    'from=2020-01-01&merchant-id=10000100&passphrase=a+phrase&timestamp=2020-02-01T12%3A00%3A01%2B02%3A00&version=v1';
  expect(signCall(fields, 'a phrase')).toBe(md5(text));
  expect(signCall(fields, 'a phrase')).toBe('b1533fe8db52e7da76e8f77ebd44aba6');
});

test('signatures are compared exactly', () => {
  expect(isSameSignature('abc', 'abc')).toBe(true);
  expect(isSameSignature('ABC', 'abc')).toBe(false);
  expect(isSameSignature('', 'abc')).toBe(false);
});
