// Command interop is a second implementation of sections 2 and 3 of docs/encryption.md, written from the paper. It
// checks the vectors of the first, and prints statements and boxes of its own for it.
//
//	interop vectors.json words.txt
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	v := &vectorFile{}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[1])), v); err != nil {
		panic(err)
	}
	words := strings.Fields(string(must(os.ReadFile(os.Args[2]))))
	c := &checker{}
	c.basics(v)
	c.lists(v)
	c.accounts(v, words)
	c.linking(v)
	reply := createReply(v, words)
	reply.Passed, reply.Failures = c.passed, c.failures
	fmt.Println(string(must(json.Marshal(reply))))
}
