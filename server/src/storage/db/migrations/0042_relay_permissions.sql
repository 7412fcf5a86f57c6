-- What a station says about being relayed (docs/relay.md); unset, as the settings say.
ALTER TABLE stations ADD COLUMN relay text CHECK (relay IN ('never', 'each', 'shared'));

-- Whether those who call with its id are sent to the relay from anywhere (RELAY=partners).
ALTER TABLE partners ADD COLUMN relay boolean NOT NULL DEFAULT false;
