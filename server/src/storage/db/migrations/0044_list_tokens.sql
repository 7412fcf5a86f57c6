-- Secrets in the addresses of an account's own lists (docs/lists.md), each found by its hash: players that read such a list send
-- neither a name nor a password. No foreign key, as with every table that is found by another key than the account (docs/adr/0005).
CREATE TABLE list_tokens (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  account_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX list_tokens_account ON list_tokens (account_id);
