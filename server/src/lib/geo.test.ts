import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coordinate, distanceKm, parseCoordinate } from './geo.ts';

test('latlon is two plain decimals in range', () => {
  assert.deepEqual(parseCoordinate('51.5,-0.1'), { latitude: 51.5, longitude: -0.1 });
  assert.deepEqual(parseCoordinate('51.5, -0.1'), { latitude: 51.5, longitude: -0.1 });
  // As telephones and browsers write where they are.
  for (const [latitude, longitude] of [
    [37.421998333333335, -122.08400000000002],
    [51.4778, -0.0014712345678901235],
  ] as const)
    assert.deepEqual(parseCoordinate(`${latitude},${longitude}`), { latitude, longitude });
  // As a program writes it that formats numbers by the language of its telephone.
  assert.deepEqual(parseCoordinate('52,520008,13,404954'), { latitude: 52.520008, longitude: 13.404954 });
  assert.deepEqual(parseCoordinate('-34,6,-58,4'), { latitude: -34.6, longitude: -58.4 });
  for (const text of [
    '1,2,-3,-4',
    '1,2,3,4,5',
    '91,0,1,0',
    '',
    'here',
    'NaN,Infinity',
    '1e309,0',
    '0x10,0',
    '91,0',
    '0,181',
    '1',
    '1,2,3',
    '+1,2',
  ]) {
    assert.equal(parseCoordinate(text), undefined, text);
  }
  assert.equal(coordinate(Number.NaN, 0), undefined);
});

test('distances on the sphere', () => {
  const berlin = { latitude: 52.52, longitude: 13.405 };
  const paris = { latitude: 48.8566, longitude: 2.3522 };
  assert.ok(Math.abs(distanceKm(berlin, paris) - 878) < 2);
  assert.equal(distanceKm(paris, paris), 0);
  const across = distanceKm({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 });
  assert.ok(across < 23, 'the date line is no wall');
});
