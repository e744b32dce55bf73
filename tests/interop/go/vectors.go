package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// The vectors of packages/e2ee/vectors/nolo.json, and their checks.

// hexBytes are bytes that JSON has as hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.AppendDecode([]byte{}, text)
	return err
}

func (h hexBytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

type jsonPin struct {
	Account  hexBytes `json:"account"`
	Identity hexBytes `json:"identity"`
	N        uint64   `json:"n"`
	Hash     hexBytes `json:"hash"`
}

func (p jsonPin) pin() pin { return pin{p.Account, p.Identity, p.N, p.Hash} }

func toJSONPin(p pin) jsonPin { return jsonPin{p.account, p.identity, p.n, p.hash} }

type vectorFile struct {
	Encodings struct {
		Accepted []struct {
			Value json.RawMessage
			Bytes hexBytes
		}
		Refused []struct {
			Why   string
			Bytes hexBytes
		}
	}
	Signatures []struct {
		Why                     string
		Key, Message, Signature hexBytes
		Valid                   bool
	}
	Statements []struct {
		Type                             string
		Seed, Key, Body, Signature, Hash hexBytes
	}
	Lists []struct {
		Name, Why                       string
		After, Code                     *string
		Body, Signature, Hash, Identity hexBytes
	}
	BoxKeys []struct {
		Why, After              string
		Device, Body, Signature hexBytes
		Seen                    *struct {
			Number uint64
			Body   hexBytes
		}
		Code *string
	}
	Seeds []struct {
		Suite     int
		Seed, Key hexBytes
	}
	RefusedKeys []struct {
		Why   string
		Suite int
		Key   hexBytes
	}
	Boxes []struct {
		Why, Purpose    string
		Hash, Seed, Box hexBytes
		Plain           *hexBytes
	}
	Recovery struct {
		Keys []struct {
			Words                                                    string
			Seed, Account, Identity, SignKey, X25519, XWing, Consent hexBytes
		}
		Refused []struct{ Why, Words string }
	}
	Wrapped struct {
		Input hexBytes
		Seeds []struct {
			Why                            string
			Wrapped, Prf, Account, SignKey hexBytes
			Code                           *string
			Seed                           *hexBytes
		}
	}
	Numbers struct {
		Numbers []struct {
			A, B   jsonPin
			Number string
			Code   hexBytes
		}
		Refused []struct {
			Why  string
			Code hexBytes
		}
	}
	Linking struct {
		Offers []struct {
			Why            string
			Account, Offer hexBytes
			Code           *string
		}
		Codes struct {
			Accepted []struct{ Device, OfferHash, Secret, Code hexBytes }
			Refused  []struct {
				Why  string
				Code hexBytes
			}
		}
		Answers []struct {
			Why          string
			Code, Answer hexBytes
			Pin          *jsonPin
			Refusal      *string
		}
		Digits []struct {
			Offer, NewRandom, OldRandom, Commitment hexBytes
			List                                    jsonPin
			ShownByNew, ShownByOld                  string
		}
	}
}

// checker counts checks and keeps what failed.
type checker struct {
	passed   int
	failures []string
}

func (c *checker) that(ok bool, format string, values ...any) {
	if ok {
		c.passed++
	} else {
		c.failures = append(c.failures, fmt.Sprintf(format, values...))
	}
}

func (c *checker) equal(got, want []byte, format string, values ...any) {
	c.that(bytes.Equal(got, want), "%s: %x instead of %x", fmt.Sprintf(format, values...), got, want)
}

// refusal compares an error with the code that the vectors expect; nil for none.
func (c *checker) refusal(err error, code *string, format string, values ...any) {
	got, want := "accepted", "accepted"
	if r, ok := err.(refusal); ok {
		got = r.code
	} else if err != nil {
		got = err.Error()
	}
	if code != nil {
		want = *code
	}
	c.that(got == want, "%s: %s instead of %s (%v)", fmt.Sprintf(format, values...), got, want, err)
}

// valueOf returns the value that JSON describes: byte strings as {"bytes": hexadecimal digits}.
func valueOf(raw json.RawMessage) any {
	var integer uint64
	var text string
	var items []json.RawMessage
	var data struct{ Bytes hexBytes }
	switch {
	case string(raw) == "null":
		return nil
	case json.Unmarshal(raw, &integer) == nil:
		return integer
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &items) == nil:
		values := []any{}
		for _, item := range items {
			values = append(values, valueOf(item))
		}
		return values
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		panic(err)
	}
	return []byte(data.Bytes)
}

var malformedCode, unopenedCode = "malformed", "unopened"

func (c *checker) basics(v *vectorFile) {
	for _, one := range v.Encodings.Accepted {
		value := valueOf(one.Value)
		c.equal(enc(value), one.Bytes, "encoding of %.40s", one.Value)
		decoded, err := decode(one.Bytes)
		c.that(err == nil && bytes.Equal(enc(decoded), one.Bytes), "decoding of %.40s: %v", one.Value, err)
	}
	for _, one := range v.Encodings.Refused {
		_, err := decode(one.Bytes)
		c.refusal(err, &malformedCode, "encoding with %s", one.Why)
	}
	for _, one := range v.Signatures {
		c.that(isSignatureValid(one.Key, one.Message, one.Signature) == one.Valid, "signature: %s", one.Why)
	}
	for _, one := range v.Statements {
		key := signingKey(one.Seed)
		c.equal(publicKey(key), one.Key, "key of a %s", one.Type)
		s := signStatement(one.Type, key, must(decode(one.Body)))
		c.equal(s.body, one.Body, "body of a %s", one.Type)
		c.equal(s.signature, one.Signature, "signature of a %s", one.Type)
		c.equal(s.hash(one.Type), one.Hash, "hash of a %s", one.Type)
		c.that(s.check(one.Type, one.Key) == nil, "verification of a %s", one.Type)
	}
}

// lists returns the lists that were accepted, by name.
func (c *checker) lists(v *vectorFile) map[string]*list {
	states := map[string]*list{}
	for _, one := range v.Lists {
		s := statement{one.Body, one.Signature}
		var l *list
		var err error
		if one.After == nil {
			l, err = checkFirst(s)
		} else {
			l, err = states[*one.After].checkNext(s)
		}
		c.refusal(err, one.Code, "list: %s", one.Why)
		if one.Name == "" || err != nil {
			continue
		}
		c.equal(l.hash, one.Hash, "hash of the list: %s", one.Why)
		c.equal(l.identity, one.Identity, "identity of the list: %s", one.Why)
		states[one.Name] = l
	}
	for _, one := range v.BoxKeys {
		var number uint64
		var body []byte
		if one.Seen != nil {
			number, body = one.Seen.Number, one.Seen.Body
		}
		err := states[one.After].checkBoxKeys(statement{one.Body, one.Signature}, one.Device, number, body)
		c.refusal(err, one.Code, "box keys: %s", one.Why)
	}
	return states
}

func (c *checker) opened(got []byte, err error, want *hexBytes, code *string, format string, values ...any) {
	c.refusal(err, code, format, values...)
	if want != nil {
		c.equal(got, *want, format, values...)
	}
}

func (c *checker) accounts(v *vectorFile, words []string) {
	for _, one := range v.Seeds {
		c.equal(boxKey(one.Suite, one.Seed).PublicKey().Bytes(), one.Key, "box key of suite %d", one.Suite)
	}
	for _, one := range v.RefusedKeys {
		_, err := box(nil, 0, one.Suite, one.Key, "box", nil, nil)
		c.refusal(err, &malformedCode, "%s", one.Why)
	}
	for _, one := range v.Boxes {
		var code *string
		if one.Plain == nil {
			code = &unopenedCode
		}
		plain, err := openBox(one.Box, one.Seed, one.Purpose, one.Hash)
		c.opened(plain, err, one.Plain, code, "%s", one.Why)
	}
	for _, one := range v.Recovery.Keys {
		seed, err := fromWords(one.Words, words)
		c.opened(seed, err, &one.Seed, nil, "words")
		c.that(toWords(one.Seed, words) == one.Words, "words of %x", one.Seed)
		key := deriveRecovery(one.Seed, one.Account).listed(one.Account, one.Identity)
		c.equal(key.signKey, one.SignKey, "signing key of the recovery key")
		c.equal(key.x25519, one.X25519, "X25519 key of the recovery key")
		c.equal(key.xWing, one.XWing, "X-Wing key of the recovery key")
		c.equal(key.consent, one.Consent, "consent of the recovery key")
		c.equal(passkeyInput(one.Account), v.Wrapped.Input, "input of the passkey")
	}
	for _, one := range v.Recovery.Refused {
		_, err := fromWords(one.Words, words)
		c.refusal(err, &malformedCode, "%s", one.Why)
	}
	for _, one := range v.Wrapped.Seeds {
		seed, err := unwrap(one.Wrapped, one.Prf, one.Account, one.SignKey)
		c.opened(seed, err, one.Seed, one.Code, "wrapped seed: %s", one.Why)
	}
	for _, one := range v.Numbers.Numbers {
		a, b := one.A.pin(), one.B.pin()
		number := safetyNumber(a, b)
		c.that(number == one.Number, "number %s instead of %s", number, one.Number)
		c.equal(writeVerificationCode(a, b), one.Code, "verification code")
		shower, scanner, err := readVerificationCode(one.Code)
		c.that(err == nil && bytes.Equal(writeVerificationCode(shower, scanner), one.Code), "verification code: %v", err)
	}
	for _, one := range v.Numbers.Refused {
		_, _, err := readVerificationCode(one.Code)
		c.refusal(err, &malformedCode, "verification code: %s", one.Why)
	}
}

func (c *checker) linking(v *vectorFile) {
	for _, one := range v.Linking.Offers {
		c.refusal(checkOffer(one.Offer, one.Account), one.Code, "%s", one.Why)
	}
	for _, one := range v.Linking.Codes.Accepted {
		code, err := readLinkCode(one.Code)
		c.that(err == nil, "link code: %v", err)
		c.equal(code.write(), one.Code, "link code")
		c.equal(linkCode{one.Device, one.OfferHash, one.Secret}.write(), one.Code, "link code of its fields")
	}
	for _, one := range v.Linking.Codes.Refused {
		_, err := readLinkCode(one.Code)
		c.refusal(err, &malformedCode, "link code: %s", one.Why)
	}
	for _, one := range v.Linking.Answers {
		p, err := must(readLinkCode(one.Code)).openAnswer(one.Answer)
		c.refusal(err, one.Refusal, "%s", one.Why)
		if one.Pin != nil {
			c.equal(encPin(p), encPin(one.Pin.pin()), "%s", one.Why)
		}
	}
	for _, one := range v.Linking.Digits {
		c.equal(commitment(one.Offer, one.NewRandom), one.Commitment, "commitment")
		byNew, byOld := linkDigits(one.Offer, one.List.pin(), one.NewRandom, one.OldRandom)
		c.that(byNew == one.ShownByNew, "digits of the new device: %s instead of %s", byNew, one.ShownByNew)
		c.that(byOld == one.ShownByOld, "digits of the old device: %s instead of %s", byOld, one.ShownByOld)
	}
}
