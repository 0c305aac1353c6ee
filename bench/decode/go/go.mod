module decode

go 1.19

require github.com/jsonrow/jsonrow/clients/go v1.0.0

replace github.com/jsonrow/jsonrow/clients/go => ../../../clients/go
