import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateGuessability } from './guessable-password.ts';

const owner = {
  userName: 'Jörg van Dijk',
  email: 'j.vandijk@mail.bluebakery.example',
  accountName: 'The Blue Bakery',
  hosts: ['blue-bakery.freehold.example', 'xn--bckerei-5wa.example', 'zimt.example'],
};
const COMMON = { code: 'common_password' };
const NAMED = { code: 'personal_password' };

test('common passwords are guessable in any case, spelling or repetition', async () => {
  for (const password of [
    'password',
    'Password',
    'PASSWORD1',
    'Password!',
    'p@ssw0rd',
    'P@$$w0rd2024',
    '!password!',
    '  password',
    'ｐａｓｓｗｏｒｄ',
    'pässword',
    'passwordpassword',
    'pass word',
    'pass\u200bword',
    'pass\u00adword',
    'P a s s - W 0 r d',
    'letmein letmein',
    'dragon2024!',
    'Passw0rd!2026',
    'changeme123456',
    'correct horse battery staple',
    'CorrectHorseBatteryStaple1!',
    'to be or not to be',
    'qwertyuiop',
    '1q2w3e4r',
    'iloveyou',
    '12345678',
    '23456789',
    'stuvwxyz',
    '87654321',
    'aaaaaaaa',
    'abababab',
    '12341234',
    ', , , , ,',
  ]) {
    assert.deepEqual(await validateGuessability(password, owner), COMMON, password);
  }
});

test('passwords made of the owner’s names are guessable', async () => {
  for (const password of [
    'bluebakery',
    'Blue-Bakery-2024',
    'B1ueB@kery',
    'jorg1984',
    'JÖRG-1984!',
    'vandijk123',
    'jorgvandijk',
    'v a n d i j k 1 2',
    'j.vandijk@mail.bluebakery.example',
    'bakery12345',
    'blue-bakery.freehold.example',
    'https://Blue-Bakery.Freehold.Example/',
    'blue-bakery.freehold',
    'xn--bckerei-5wa.example',
    'bäckerei.example',
    'zimt.example',
    'zimt.example1',
    'zimt example',
  ]) {
    assert.deepEqual(await validateGuessability(password, owner), NAMED, password);
  }
  assert.deepEqual(await validateGuessability('bakerypassword', owner), COMMON);
});

test('passwords with a name or a common word among other words are not guessable', async () => {
  for (const password of [
    'correct horse battery',
    'a new password',
    'another password',
    'the blue horse eats paper',
    'bakery on the old bridge',
    'xK7$vq2mPz',
    'kvlwqzrt',
    'пароль из трёх слов',
    '三つの関係ない言葉です',
    'x'.repeat(500) + 'abcdefgh',
  ]) {
    assert.equal(await validateGuessability(password, owner), undefined, password);
  }
});

test('names of one or two letters do not make a password guessable', async () => {
  const short = { userName: 'A', email: 'a@b.co', accountName: '!', hosts: ['a.b.co'] };
  assert.equal(await validateGuessability('kvlwqzrt', short), undefined);
});
